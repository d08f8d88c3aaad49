// SPDX-License-Identifier: MPL-2.0

// Package store manages the directory .openpai of a workspace, in which the local
// cluster keeps its state: the paths of files ([Layout], [Object], [TaskDir]), their
// formats, and the locks that commands and supervisors use. Every change atomically
// replaces one file.
//
// The store does not start processes or make decisions about jobs. Package
// internal/local does both. The names and formats of the files must not change,
// because supervisors and tasks of other versions of the program use the same
// directory.
package store
