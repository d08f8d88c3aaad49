// SPDX-License-Identifier: MPL-2.0

// Package fetch downloads data for a task: local files, files from http and
// https servers, and trees of git repositories. It unpacks archives on request.
//
// Data at its destination is always complete and verified, because Fetch writes the
// data under another name, and renames it when it is complete. The next try or the
// next process resumes an interrupted download. The tasks of a node can share a
// cache directory: one process downloads the data, and other processes wait for the
// download.
//
// Archives are not trusted. An entry outside the directory, a device, or an extreme
// compression ratio is an error, after which no data of the archive remains.
//
// This package does not start programs. To run git, it calls a function that the
// caller provides.
package fetch
