// SPDX-License-Identifier: MPL-2.0

//go:build !unix

package cli

// onResize does nothing, so the program uses the initial size of the terminal.
func onResize(func()) (stop func()) { return func() {} }
