// SPDX-License-Identifier: MPL-2.0

// Package porttest finds free ports for tests that require a port number but no
// listener. Tests that can listen on port 0 do not need this package.
package porttest
