// SPDX-License-Identifier: MPL-2.0

//go:build acc

package apitest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// dirPrefix is the prefix of directory names. The prefix is followed by the ID of
// the process that created the directory.
const dirPrefix = "openpai-apitest-"

// newDir creates a directory, and removes the directories of processes that
// ended without calling Stop.
func newDir() (string, error) {
	remaining, err := filepath.Glob(filepath.Join(os.TempDir(), dirPrefix+"*"))
	if err != nil {
		return "", err
	}
	for _, dir := range remaining {
		pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), dirPrefix), "-")
		if n, err := strconv.Atoi(pid); err == nil && errors.Is(syscall.Kill(n, 0), syscall.ESRCH) {
			_ = os.RemoveAll(dir)
		}
	}
	return os.MkdirTemp("", fmt.Sprintf("%s%d-", dirPrefix, os.Getpid()))
}
