// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// storageVariable is the environment variable that contains storages as
// NAME=DIRECTORY, separated by commas.
const storageVariable = "OPENPAI_STORAGE"

// addStorages declares storages from options and the environment. Plain YAML
// jobs mount storages by name and cannot declare their directories.
func (l *loader) addStorages() {
	for _, input := range l.assignments(storageVariable, l.options.Storages) {
		if s := l.storageDirectory(input); s != nil {
			l.loaded.Workspace.Storages = append(l.loaded.Workspace.Storages, s)
		}
	}
}

// storageDirectory reports a diagnostic and returns nil for an invalid setting. A
// directory from the environment variable may be missing: the variable applies to
// many workspaces, and not every command uses the directory.
func (l *loader) storageDirectory(input string) *hclspec.Storage {
	name, dir, ok := nameAndValue(input)
	if !ok {
		l.report(InvalidStorageArgument.At(hcl.Range{}, "%q must have the form name=directory, for example data=/srv/data.", input))
		return nil
	}
	if l.loaded.Workspace.Storage(name) != nil {
		l.report(InvalidStorageArgument.At(hcl.Range{}, "The storage %q is already declared. Remove the setting %q; to change the directory, edit the storage block.", name, input))
		return nil
	}
	absolute, err := filepath.Abs(dir)
	if err == nil && slices.Contains(l.options.Storages, input) {
		err = isDirectory(absolute)
	}
	if err != nil {
		l.report(InvalidStorageArgument.At(hcl.Range{}, "The storage %q cannot use the directory %s: %s.", name, dir, err))
		return nil
	}
	return &hclspec.Storage{Name: name, Path: hclspec.Path("storage").Attr(name), HostPath: absolute}
}

// isDirectory returns a short reason if path is not an accessible directory.
func isDirectory(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("the directory does not exist")
	case err != nil:
		return errors.New(cause(err))
	case !info.IsDir():
		return errors.New(filepath.Base(path) + " is not a directory")
	}
	return nil
}
