// SPDX-License-Identifier: MPL-2.0

// Package porttest finds free ports for tests that need a port number and not a
// listener. Tests that can listen on port 0 do that instead.
package porttest
