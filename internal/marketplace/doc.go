// SPDX-License-Identifier: MPL-2.0

// Package marketplace finds published items: prerequisites and whole jobs. A source
// is a directory, a git repository, the http(s) URL of an item file, or an OpenPAI
// Marketplace server. This package reads a git repository at a commit, branch or
// tag. All sources return values of the type [Item]. The content hash of an item
// depends only on the definition, not on syntax or source.
//
// [Set] looks up references in all declared sources and follows the references in
// the items. This package does not write to the workspace. internal/lockfile
// stores the items, and internal/workspace combines both packages.
//
// This package does not trust sources. It limits the size and duration of reads.
// It rejects links and paths outside the source. It never executes programs from
// a source. It sends each credential only to the host for which the credential
// was declared.
package marketplace
