//go:build !unix

package cli

// onResize is for systems that tell a program of its terminal's size; others
// keep the size they began with.
func onResize(func()) (stop func()) { return func() {} }
