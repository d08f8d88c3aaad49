// SPDX-License-Identifier: MPL-2.0

//go:build !unix

package cli

// onResize does nothing: the terminal keeps its initial size.
func onResize(func()) (stop func()) { return func() {} }
