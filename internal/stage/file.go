package stage

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// fileName is the name of the record below the root of a task.
const fileName = "stage.json"

// maxFile bounds what is read of a record.
const maxFile = 16 << 10

// Write replaces the record below root. A reader sees the old or the new one,
// never a part. It does not wait for the disk: after a crash the record is of
// no use. The strings of the record are final, see [Record.Safe].
func Write(root string, r Record) error {
	name := filepath.Join(root, fileName)
	tmp := name + ".tmp"
	if err := os.WriteFile(tmp, append(r.Encode(), '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, name)
}

// Read returns the record below root, nil when there is none that this build
// can read.
func Read(root string) *Record {
	// The task may have made a pipe of that name, which has no writer.
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
