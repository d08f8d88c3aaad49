// SPDX-License-Identifier: MPL-2.0

// Package fetch downloads data for a task: local files, files from http and
// https servers, and trees of git repositories. It unpacks archives on request.
//
// Data at its destination is always complete and verified: it is written under
// another name and then renamed. The next try or the next process resumes an
// interrupted download. With a cache directory, which the tasks of a node
// share, data is downloaded once: other processes wait for a download in
// progress.
//
// Archives are not trusted: an entry outside the directory, a device, or an
// extreme compression ratio is an error, and no data of the archive remains.
//
// This package does not start programs; git runs through a function that the
// caller provides.
package fetch
