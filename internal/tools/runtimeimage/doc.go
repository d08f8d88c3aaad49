// SPDX-License-Identifier: MPL-2.0

// Command build writes the runtime images as OCI layouts, or pushes them:
//
//	go run ./internal/tools/runtimeimage -out DIR [-shell [-cache DIR] | -base IMAGE] [-push IMAGE] ARCH=PROGRAM...
package main
