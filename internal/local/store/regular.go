// SPDX-License-Identifier: MPL-2.0

package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// maxFile is the maximum size in bytes of a store file that is read completely into
// memory. The status of 10,000 tasks takes about 20 MB.
const maxFile = 256 << 20

// errIrregular is the error for a link, a pipe, a device or a directory. Reading such
// a file may block forever.
var errIrregular = errors.New("it is not a regular file")

// OpenRegular opens a file for reading. It never blocks, and fails if the file is not
// a regular file.
func OpenRegular(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|noFollow|noWait, 0)
	if isLink(err) {
		return nil, errIrregular
	}
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, errIrregular, f.Close())
	}
	return f, nil
}

// readFile is like os.ReadFile, but fails if the file is not regular or is
// larger than maxFile bytes.
func readFile(name string) ([]byte, error) {
	f, err := OpenRegular(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var text bytes.Buffer
	if info, err := f.Stat(); err == nil {
		text.Grow(int(min(info.Size(), maxFile)) + bytes.MinRead) // ReadFrom then does not grow the buffer
	}
	_, err = text.ReadFrom(io.LimitReader(f, maxFile+1))
	if err == nil && text.Len() > maxFile {
		err = fmt.Errorf("it is larger than %s", quantity.Bytes(maxFile))
	}
	return text.Bytes(), err
}
