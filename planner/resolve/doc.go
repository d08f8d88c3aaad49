// SPDX-License-Identifier: MPL-2.0

// Package resolve turns a declared job into a resolved job: each task role with
// the ordered list of prerequisite instances that it runs, merged storages, the
// active deployment, filled templates and numbered ports. Only references to
// secrets remain.
//
// The package is pure: the same workspace produces the same resolved job, byte
// for byte. It reads no files, no network and no cluster; the caller passes
// remote items as values. planner/graph contains the graph algorithms, planner
// compares jobs with the live state, and planner/render renders the objects of
// a cluster.
package resolve
