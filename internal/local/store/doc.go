// SPDX-License-Identifier: MPL-2.0

// Package store manages a workspace's .openpai directory, in which the local cluster
// keeps its state. It defines the paths of files ([Layout], [Object], [TaskDir]),
// their formats, and the locks that commands and supervisors use. Every change
// atomically replaces one file.
//
// The store does not start processes or make decisions about jobs. Package
// internal/local does both. The names and formats of files must not change:
// supervisors and tasks of other program versions use the directory.
package store
