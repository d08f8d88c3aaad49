// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// copyThirdParty copies the image's third-party runtime plugins for the task. It
// rejects links, because their targets are not in the volume.
func (o *Options) copyThirdParty() error {
	source := filepath.Join(o.SourceDir, filepath.Base(contract.PluginDir))
	err := filepath.WalkDir(source, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(source, name)
		if err != nil {
			return err
		}
		to := filepath.Join(o.path(contract.PluginDir), inside)
		switch {
		case e.IsDir():
			return os.MkdirAll(to, 0o755)
		case !e.Type().IsRegular():
			return fmt.Errorf("%s is neither a file nor a directory", name)
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		return copyFile(name, to, info.Mode().Perm()|withReadPermission(info.Mode()))
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("copy the image's runtime plugins: %w", err)
	}
	return nil
}

// withReadPermission returns a mode that lets any user read a file. If the
// owner may execute the file, the mode also lets any user execute it.
func withReadPermission(mode fs.FileMode) fs.FileMode {
	if mode&0o100 != 0 {
		return 0o555
	}
	return 0o444
}
