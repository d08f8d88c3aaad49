// SPDX-License-Identifier: MPL-2.0

// Package fetch downloads data for a task: local files, files from http and
// https servers, and trees from git repositories. It unpacks archives on
// request.
//
// Data at its destination is always complete and verified: Fetch writes to a
// temporary name, verifies the data and then renames it. The next attempt or the
// next process resumes an interrupted download. The tasks of a node can share a
// cache directory: one process downloads the data, and other processes wait for the
// download.
//
// Archives are not trusted. Fetch fails if an archive contains a device or an
// entry outside the directory, or has an extreme compression ratio. After
// such a failure, no data from the archive remains.
//
// This package does not start programs. To run git, it calls a function that the
// caller provides.
package fetch
