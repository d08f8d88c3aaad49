// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
)

// Limits of one module: the number of its configuration files and their total
// size.
const (
	maxModuleFiles = 1000
	maxModuleBytes = 16 << 20
)

// modules finds the files of the modules of one workspace.
type modules struct {
	*loader
	// read contains the modules by directory.
	read map[string]*syntax.ModuleFiles
}

func (l *loader) modules() *modules {
	return &modules{loader: l, read: map[string]*syntax.ModuleFiles{}}
}

// find returns the files of a module, which must be a directory of the workspace.
func (m *modules) find(r syntax.ModuleRequest) (*syntax.ModuleFiles, *hcl.Diagnostic) {
	if !isLocalModule(r.Call.Source) {
		return nil, hclspec.InvalidModuleSource.At(r.At, "%q is not a directory of the workspace. Write a path that begins with ./ or ../.", r.Call.Source)
	}
	base := m.shown
	if r.Caller != nil {
		base = r.Caller.Dir
	}
	return m.directory(filepath.Join(base, filepath.FromSlash(r.Call.Source)), m.loaded.Dir, r)
}

// isLocalModule reports whether a source is a local path, which starts with a
// dot.
func isLocalModule(source string) bool {
	return source == "." || source == ".." || strings.HasPrefix(source, "./") || strings.HasPrefix(source, "../")
}

// directory reads a module from a directory that must be inside another one.
func (m *modules) directory(dir, within string, r syntax.ModuleRequest) (*syntax.ModuleFiles, *hcl.Diagnostic) {
	rel, err := filepath.Rel(realPath(within), realPath(dir))
	if err != nil || !filepath.IsLocal(rel) {
		return nil, hclspec.InvalidModuleSource.At(r.At, "%s is not below %s. Move or copy the module into it.", r.Call.Source, m.describe(within))
	}
	if known := m.read[dir]; known != nil {
		return known, nil
	}
	found, err := list(dir)
	if err != nil {
		return nil, hclspec.UnreadableFile.At(r.At, "The directory %s of the module cannot be read: %s.", dir, cause(err))
	}
	if len(found.hcl) == 0 {
		return nil, hclspec.WorkspaceEmpty.At(r.At, "The directory %s of the module holds no *.pai.hcl or *.pai.hcl.json file.", dir)
	}
	files, diag := m.files(found, r)
	if diag != nil {
		return nil, diag
	}
	m.read[dir] = &syntax.ModuleFiles{Files: files, Dir: dir, Origin: filepath.ToSlash(dir)}
	return m.read[dir], nil
}

func (m *modules) describe(dir string) string {
	if dir == m.loaded.Dir {
		return fmt.Sprintf("the workspace directory %s", m.shown)
	}
	return "the directory of the calling module"
}

// files reads the configuration files of a module.
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
			return nil, FileTooLarge.At(r.At, "The configuration files of the module are larger than %d MiB together.", maxModuleBytes>>20)
		}
		files[name], m.loaded.Files[name] = src, src
	}
	return files, nil
}
