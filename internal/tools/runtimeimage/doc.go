// SPDX-License-Identifier: MPL-2.0

// Command build writes a runtime image as an OCI layout, or pushes it to a
// registry:
//
//	go run ./internal/tools/runtimeimage -out DIR [-shell [-cache DIR] | -base IMAGE] [-push IMAGE] ARCH=PROGRAM...
package main
