// SPDX-License-Identifier: MPL-2.0

// Package lockfile reads and writes the lock file .openpai.lock.hcl. The lock
// file pins the external items and modules of a workspace. It records the source
// and content hash of each item and module. A cache next to the lock file stores
// the contents by hash.
//
// The entries are sorted, so that a diff shows only changes. Commit the lock file
// to version control, but not the cache. With the lock file and the cache, commands
// do not need network access. Commands never use content that does not match the
// recorded hash.
//
// This package does not look up items or modules. internal/marketplace looks up
// items, and internal/module fetches modules. internal/workspace combines all three
// packages. [Items] provides the locked items to the resolver.
package lockfile
