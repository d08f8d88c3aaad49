// SPDX-License-Identifier: MPL-2.0

// Package lockfile stores the external items and modules that a workspace uses.
// The lock file .openpai.lock.hcl records the source of each one and the hash of
// its content. A cache next to it stores the contents by hash.
//
// The program writes the file sorted, so that a review shows the changes. The
// file is committed, the cache is not. With both, no network access is needed,
// and content that does not match the recorded hash is never used.
//
// This package looks up nothing: internal/marketplace looks up items,
// internal/module fetches modules, and internal/workspace combines the three.
// [Items] provides the locked items to the resolver.
package lockfile
