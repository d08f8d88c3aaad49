// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"archive/zip"
	"io"
	"io/fs"
)

// linkBytes is the maximum length of a link target in a zip archive, in bytes.
const linkBytes = 4096

const zipEncrypted = 1

func (t *tree) unzip(f io.ReaderAt, size int64) error {
	z, err := zip.NewReader(f, size)
	if err != nil {
		return corruptArchive(err)
	}
	for _, file := range z.File {
		if err := t.unzipOne(file); err != nil {
			return corruptArchive(err)
		}
	}
	return nil
}

func (t *tree) unzipOne(file *zip.File) error {
	if file.Flags&zipEncrypted != 0 {
		return archiveErrorf("%q is encrypted; unpack it in a callback, with the password in a secret", file.Name)
	}
	content, err := file.Open()
	if err != nil {
		return archiveErrorf("%q: %w", file.Name, err)
	}
	defer func() { _ = content.Close() }()
	e := entry{name: file.Name, mode: file.Mode(), content: contextReader{t.ctx, content}}
	if e.mode&fs.ModeSymlink != 0 {
		target, err := io.ReadAll(io.LimitReader(content, linkBytes))
		if err != nil {
			return err
		}
		e.link = string(target)
	}
	return t.add(e)
}
