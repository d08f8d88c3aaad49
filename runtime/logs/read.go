// SPDX-License-Identifier: MPL-2.0

package logs

import (
	"os"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// ReadUserTail returns the end of the user log whose files are in dir. The
// parameter size limits the result, in bytes. If the current file is smaller than
// this limit, ReadUserTail also reads the rotated file.
func ReadUserTail(dir string, size int) []byte {
	text := ReadTail(filepath.Join(dir, contract.CurrentLog), int64(size))
	missing := size - len(text)
	if missing <= 0 {
		return text
	}
	old := putAside(dir)
	if len(old) == 0 {
		return text
	}
	return append(ReadTail(old[len(old)-1], int64(missing)), text...)
}

// ReadTail returns the end of a file, at most size bytes, or nil if the file
// cannot be read.
func ReadTail(name string, size int64) []byte {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	from := max(0, info.Size()-size)
	text := make([]byte, info.Size()-from)
	n, _ := f.ReadAt(text, from)
	return text[:n]
}
