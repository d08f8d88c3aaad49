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

// copyThirdParty copies the third-party runtime plugins in the image to the
// directory in which the task searches for them. It does not follow links, because
// the targets of links are not in the volume.
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
		return fmt.Errorf("copy the runtime plugins of the image: %w", err)
	}
	return nil
}

// withReadPermission returns a file mode that lets the user of any image read the
// file. The user may also execute the file if its owner may.
func withReadPermission(mode fs.FileMode) fs.FileMode {
	if mode&0o100 != 0 {
		return 0o555
	}
	return 0o444
}
