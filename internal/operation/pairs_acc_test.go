//go:build acc

package operation_test

// pairs is the number of generated pairs of workspaces.
const pairs = 10000
