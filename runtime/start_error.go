// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// startError adds the cause to an error from starting a process, because the
// system returns one error for several causes.
func startError(err error, attr *os.ProcAttr) error {
	switch {
	case errors.Is(err, syscall.E2BIG):
		name, size, total := largestVariable(attr.Env)
		return fmt.Errorf("the environment has %d bytes (%d in the variable %s), which exceeds the system's limit; put the value into a file: %w", total, size, name, err)
	case errors.Is(err, syscall.EINVAL):
		for _, entry := range attr.Env {
			if name, value, _ := strings.Cut(entry, "="); strings.ContainsRune(value, 0) {
				return fmt.Errorf("the value of the environment variable %s contains a NUL character, which must be removed: %w", name, err)
			}
		}
	case errors.Is(err, syscall.ENOENT), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EACCES):
		if info, dirErr := os.Stat(attr.Dir); dirErr != nil || !info.IsDir() {
			return fmt.Errorf("the working directory %s does not exist, is not a directory or is not accessible: %w", attr.Dir, err)
		}
	}
	return err
}

// largestVariable returns the largest variable's name and size, and the
// environment's total size, in bytes.
func largestVariable(environ []string) (name string, size, total int) {
	for _, entry := range environ {
		total += len(entry) + 1
		if len(entry) > size {
			name, _, _ = strings.Cut(entry, "=")
			size = len(entry)
		}
	}
	return name, size, total
}
