//go:build !unix

package cli

// onResize is for systems that report the size of the terminal; others
// keep the size they began with.
func onResize(func()) (stop func()) { return func() {} }
