// SPDX-License-Identifier: MPL-2.0

// Package gitstate reads the state of the Git repository that contains a directory.
// Run records contain this state. The package runs the installed git and does not
// change the repository.
//
// The package does not download repositories; internal/marketplace and
// internal/module do that.
package gitstate
