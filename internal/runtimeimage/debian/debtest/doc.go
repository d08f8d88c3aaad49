// Package debtest makes small Debian packages for tests, with the parts that
// internal/runtimeimage/debian reads. It signs nothing and runs no program.
package debtest
