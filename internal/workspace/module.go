// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/module"
	"github.com/openpai/terraform-provider-openpai/internal/statedir"
)

// Limits of one module: the number of its configuration files, and their total size
// in bytes.
const (
	maxModuleFiles = 1000
	maxModuleBytes = 16 << 20
)

// modules finds the files of the modules that a workspace calls.
type modules struct {
	*loader
	// read contains the files of each module that has already been read. The
	// key consists of the package and the directory.
	read map[string]*syntax.ModuleFiles
	// hashes maps the directory of a package to the package's hash.
	hashes map[string]string
	lock   *lockfile.File
	cache  statedir.Cache
}

func (l *loader) modules() *modules {
	return &modules{
		loader: l, read: map[string]*syntax.ModuleFiles{}, hashes: map[string]string{},
		// In diagnostics, file paths begin with the workspace directory as the
		// user specified it.
		cache: module.NewCache(filepath.Join(l.shown, statedir.Name, "modules")),
	}
}

func (m *modules) find(r syntax.ModuleRequest) (*syntax.ModuleFiles, *hcl.Diagnostic) {
	source, diag := parseSource(r)
	switch {
	case diag != nil:
		return nil, diag
	case source.Kind != module.Directory:
		return m.remote(source, r)
	}
	base, within := m.shown, m.loaded.Dir
	var files syntax.ModuleFiles
	if r.Caller != nil {
		base = r.Caller.Dir
	}
	if r.Caller != nil && r.Caller.Package != "" {
		within, files.Package, files.Foreign = r.Caller.Package, r.Caller.Package, r.Caller.Foreign
	}
	root := filepath.Join(base, filepath.FromSlash(source.Package))
	files.Dir = filepath.Join(root, filepath.FromSlash(source.Dir))
	switch {
	case isBelow(files.Dir, within):
		return m.directory(files, r)
	case files.Package != "":
		return nil, hclspec.InvalidModuleSource.At(r.At, "%s is outside the package of %s. A relative path can refer only to modules in the same package.", r.Call.Source, m.describe(r))
	}
	if inside(files.Dir, m.shown) {
		return nil, hclspec.InvalidModuleSource.At(r.At, "%s is a link to a directory outside the workspace directory %s. Use the path of the link target instead.", r.Call.Source, m.shown)
	}
	files.Package = root
	return m.outside(files, r)
}

// parseSource reports a credential without a range, because the source line
// would show the credential.
func parseSource(r syntax.ModuleRequest) (module.Source, *hcl.Diagnostic) {
	source, err := module.Parse(r.Call.Source, r.Call.Version)
	var version *module.VersionError
	switch {
	case errors.Is(err, module.ErrCredential):
		return source, hclspec.InvalidModuleSource.At(hcl.Range{}, "The source of %s cannot be used: %s.", r.Call.Call(), err)
	case errors.As(err, &version):
		return source, hclspec.InvalidModuleSource.At(r.VersionAt, "%s: %s.", r.Call.Call(), err)
	case err != nil:
		return source, hclspec.InvalidModuleSource.At(r.At, "%q cannot be used: %s.", r.Call.Source, err)
	case r.Caller != nil && r.Caller.Foreign && source.Kind == module.Git && source.Local:
		return source, hclspec.InvalidModuleSource.At(r.At, "A module from the network cannot use %q, which is a repository on this machine.", r.Call.Source)
	}
	return source, nil
}

// isBelow reports whether dir is inside another directory. It follows links.
func isBelow(dir, within string) bool { return inside(realPath(dir), realPath(within)) }

// inside reports whether dir is within or below the directory within. It does
// not follow links.
func inside(dir, within string) bool {
	rel, err := filepath.Rel(within, dir)
	return err == nil && filepath.IsLocal(rel)
}

// describe returns the calling module's address for a message.
func (m *modules) describe(r syntax.ModuleRequest) hclspec.Address { return r.Call.Module.ModuleCall() }

func (m *modules) directory(module syntax.ModuleFiles, r syntax.ModuleRequest) (*syntax.ModuleFiles, *hcl.Diagnostic) {
	key := module.Package + "\x00" + module.Dir
	if known := m.read[key]; known != nil {
		return known, nil
	}
	found, err := list(module.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && module.Package != "":
		return nil, ModuleUnavailable.At(r.At, "The package of %s does not contain the directory specified in source.", r.Call.Call())
	case err != nil:
		return nil, hclspec.UnreadableFile.At(r.At, "The directory %s of the module cannot be read: %s.", module.Dir, cause(err))
	}
	if len(found.hcl) == 0 {
		return nil, hclspec.WorkspaceEmpty.At(r.At, "The directory %s of the module contains no *.pai.hcl or *.pai.hcl.json file.", module.Dir)
	}
	files, diag := m.files(found, r)
	if diag != nil {
		return nil, diag
	}
	module.Files, module.Origin = files, filepath.ToSlash(module.Dir)
	m.read[key] = &module
	return &module, nil
}

func (m *modules) files(found listing, r syntax.ModuleRequest) (map[string][]byte, *hcl.Diagnostic) {
	if len(found.hcl) > maxModuleFiles {
		return nil, FileTooLarge.At(r.At, "The module has more than %d configuration files.", maxModuleFiles)
	}
	files, total := map[string][]byte{}, 0
	for _, name := range found.hcl {
		src, diag := read(name, hcl.Range{})
		if diag != nil {
			return nil, diag
		}
		if total += len(src); total > maxModuleBytes {
			return nil, FileTooLarge.At(r.At, "The total size of the module's configuration files exceeds %d MiB.", maxModuleBytes>>20)
		}
		files[name], m.loaded.Files[name] = src, src
	}
	return files, nil
}
