// SPDX-License-Identifier: MPL-2.0

//go:build linux || darwin

package local

import (
	"os"
	"syscall"
)

func init() {
	mutations["a pipe"] = func(name string) error { // opening the pipe waits for a writer
		if err := os.Remove(name); err != nil {
			return err
		}
		return syscall.Mkfifo(name, 0o600)
	}
	mutations["a link to an endless file"] = func(name string) error {
		if err := os.Remove(name); err != nil {
			return err
		}
		return os.Symlink("/dev/zero", name)
	}
}
