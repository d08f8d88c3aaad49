// SPDX-License-Identifier: MPL-2.0

package stage

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// fileName is the name of the record below the root of a task.
const fileName = "stage.json"

// maxFile is the maximum number of bytes that Read reads from a record.
const maxFile = 16 << 10

// Write atomically replaces the record of the task with the given root directory.
// It does not sync the file to disk, because the record is useless after a crash.
// The strings of the record must be safe to print; see [Record.Safe].
func Write(root string, r Record) error {
	name := filepath.Join(root, fileName)
	tmp := name + ".tmp"
	if err := os.WriteFile(tmp, append(r.Encode(), '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, name)
}

// Read returns the record of the task with the given root directory. It returns nil
// if the record does not exist, is invalid or has an unsupported version.
func Read(root string) *Record {
	// The task may have created a pipe with this name. Without O_NONBLOCK,
	// opening a pipe that has no writer would block.
	f, err := os.OpenFile(filepath.Join(root, fileName), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil
	}
	r, ok := Parse(text)
	if !ok {
		return nil
	}
	return &r
}

// Remove removes the record below root.
func Remove(root string) { _ = os.Remove(filepath.Join(root, fileName)) }
