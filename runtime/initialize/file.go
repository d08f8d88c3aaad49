// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// maxConfig is the maximum size of a configuration file, in bytes.
const maxConfig = 4 << 20

// findConfig returns the first file found in the configuration directories. If
// no file exists, the name is "". If a path is a directory, such as a mounted
// volume, findConfig reads the file of the same name in that directory.
func (o *Options) findConfig(names ...string) (text []byte, name string, err error) {
	for _, dir := range o.ConfigDirs {
		for _, n := range names {
			name = filepath.Join(dir, n)
			if info, err := os.Stat(name); err == nil && info.IsDir() {
				name = filepath.Join(name, n)
			}
			text, err = readLimited(name)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			return text, name, err
		}
	}
	return nil, "", nil
}

// withImage returns a copy of the options. In the copy, SourceDir is the last
// element of ConfigDirs, so findConfig searches the image last.
func (o *Options) withImage() *Options {
	all := *o
	all.ConfigDirs = append(slices.Clone(o.ConfigDirs), o.SourceDir)
	return &all
}

func readLimited(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err == nil && len(text) > maxConfig {
		err = fmt.Errorf("read %s: the file is larger than %d bytes", name, maxConfig)
	}
	return text, err
}

// configError is the error for a mistake in the configuration.
type configError struct{ text string }

func (m *configError) Error() string { return m.text }

func configErrorf(format string, args ...any) error {
	return &configError{fmt.Sprintf(format, args...)}
}
