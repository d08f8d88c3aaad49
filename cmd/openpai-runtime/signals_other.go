// SPDX-License-Identifier: MPL-2.0

//go:build !unix

package main

import "os"

// forwarded contains only os.Interrupt, because the other signals exist only on Unix.
var forwarded = []os.Signal{os.Interrupt}

func keepSIGPIPE() {}
