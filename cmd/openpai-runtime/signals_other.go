//go:build !unix

package main

import "os"

// forwarded is what such systems have.
var forwarded = []os.Signal{os.Interrupt}

func keepSIGPIPE() {}
