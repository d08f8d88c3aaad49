// SPDX-License-Identifier: MPL-2.0

package atomicfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Write writes data to the named file. It syncs a temporary file in the
// directory, renames it to the final name and syncs the directory. The file
// has exactly the given mode, regardless of the umask. On error, the old file
// is unchanged and the temporary file is removed.
func Write(name string, data []byte, mode os.FileMode) (err error) {
	dir := filepath.Dir(name)
	tmp, err := os.CreateTemp(dir, "."+filepath.Base(name)+".*.tmp")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %s: %w", name, err)
			_ = os.Remove(tmp.Name())
		}
	}()
	if err := fill(tmp, data, mode); err != nil {
		return errors.Join(err, tmp.Close())
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	if err := os.Rename(tmp.Name(), name); err != nil {
		return err
	}
	return syncDir(dir)
}

func fill(f *os.File, data []byte, mode os.FileMode) error {
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	return f.Sync()
}

// syncDir syncs a directory, because a rename must survive a crash. A system
// that cannot open a directory does not need the sync.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	_ = d.Sync()
	return d.Close()
}
