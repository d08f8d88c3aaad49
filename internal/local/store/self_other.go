// SPDX-License-Identifier: MPL-2.0

//go:build !linux

package store

import "os"

func openSelf(path string) (*os.File, error) { return os.Open(path) }
