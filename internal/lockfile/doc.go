// SPDX-License-Identifier: MPL-2.0

// Package lockfile stores the external items that a workspace uses. The lock
// file .openpai.lock.hcl records the source of each item and the hash of its
// content. A cache next to it stores the contents by hash.
//
// The program writes the file sorted, so that a review shows the changes. The
// file is committed, the cache is not. With both, no network access is needed,
// and content that does not match the recorded hash is never used.
//
// This package does not look up items: internal/marketplace does, and
// internal/workspace combines the two. [Items] provides the locked items to the
// resolver.
package lockfile
