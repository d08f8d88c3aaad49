// Package porttest finds ports for tests that need the number of one that is
// free, and not a listener. Tests that can listen on port 0 do that instead.
package porttest
