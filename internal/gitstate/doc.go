// SPDX-License-Identifier: MPL-2.0

// Package gitstate reads the state of the repository that contains a directory, for the
// records of runs. It runs the installed git and does not change the repository.
//
// It does not download repositories, which internal/marketplace and internal/module
// do.
package gitstate
