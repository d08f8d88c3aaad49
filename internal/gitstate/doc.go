// SPDX-License-Identifier: MPL-2.0

// Package gitstate reads the state of the repository that contains a directory, for the
// records of runs. It runs the installed git and changes nothing.
//
// It downloads nothing: internal/marketplace and internal/module read the repositories
// of items and modules.
package gitstate
