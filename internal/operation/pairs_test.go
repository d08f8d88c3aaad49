//go:build !acc

package operation_test

// pairs is how many pairs of workspaces are generated.
const pairs = 1000
