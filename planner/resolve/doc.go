// SPDX-License-Identifier: MPL-2.0

// Package resolve resolves declared jobs. In a resolved job, each task role
// lists the prerequisite instances that it runs, in order. Package resolve
// merges storages, applies the active deployment and fills in all templates;
// only references to secrets remain.
//
// The package is pure: the same workspace produces the same resolved jobs,
// byte for byte. It does not access files, networks or clusters; the caller
// passes remote items as values. planner/graph contains the graph algorithms,
// planner compares jobs with the live state, and planner/render renders the
// cluster objects.
package resolve
