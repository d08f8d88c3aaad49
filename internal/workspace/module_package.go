// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"errors"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/module"
	"github.com/openpai/terraform-provider-openpai/internal/statedir"
)

// ignored lists entries to skip in a module directory: version control data
// and the state of a local cluster.
var ignored = []string{".git", statedir.Name}

// remote reads the cached copy of a module from a git repository or an
// archive.
func (m *modules) remote(source module.Source, r syntax.ModuleRequest) (*syntax.ModuleFiles, *hcl.Diagnostic) {
	var entry *lockfile.Module
	var diag *hcl.Diagnostic
	if m.loaded.modules != nil {
		entry, diag = m.loaded.modules.remote(m, source, r)
	} else {
		entry, diag = m.locked(r)
	}
	if diag != nil {
		return nil, diag
	}
	dir := m.cache.Path(entry.Hash)
	if m.hashes[dir] != entry.Hash {
		switch _, err := m.cache.Get(entry.Hash); {
		case errors.Is(err, statedir.ErrMissing):
			return nil, ModuleNotInitialized.At(r.At, "%s is locked, but its content is not on this machine. %s", r.Call.Call(), m.advice(message.HintFetch, r))
		case errors.Is(err, statedir.ErrChanged):
			return nil, ModuleLockMismatch.At(r.At, "The hash of the copy of %s in %s differs from the hash in the lock file. %s", r.Call.Call(), dir, m.advice(message.HintFetchAgain, r))
		case err != nil:
			return nil, hclspec.UnreadableFile.At(r.At, "The directory %s of the module cannot be read: %s.", dir, cause(err))
		}
		m.hashes[dir] = entry.Hash
	}
	files := syntax.ModuleFiles{Package: dir, Foreign: !source.Local, Dir: filepath.Join(dir, filepath.FromSlash(source.Dir))}
	if !isBelow(files.Dir, dir) {
		return nil, hclspec.InvalidModuleSource.At(r.At, "%s is outside the package.", r.Call.Source)
	}
	return m.directory(files, r)
}

// outside reads a module directory outside the workspace. It does not copy the
// directory to the cache. Except during Init, the hash must match the lock
// file.
func (m *modules) outside(files syntax.ModuleFiles, r syntax.ModuleRequest) (*syntax.ModuleFiles, *hcl.Diagnostic) {
	if !isBelow(files.Dir, files.Package) {
		return nil, hclspec.InvalidModuleSource.At(r.At, "%s is outside the package.", r.Call.Source)
	}
	hash := m.hashes[files.Package]
	if hash == "" {
		var err error
		if hash, err = module.Hash(files.Package, ignored...); err != nil {
			return nil, hclspec.UnreadableFile.At(r.At, "The directory %s of the module cannot be used: %s.", files.Package, cause(err))
		}
		m.hashes[files.Package] = hash
	}
	if m.loaded.modules != nil {
		if diag := m.loaded.modules.directory(m, hash, r); diag != nil {
			return nil, diag
		}
		return m.directory(files, r)
	}
	entry, diag := m.locked(r)
	switch {
	case diag != nil:
		return nil, diag
	case entry.Hash != hash:
		return nil, m.changed(entry, hash, r)
	}
	return m.directory(files, r)
}

func (m *modules) locked(r syntax.ModuleRequest) (*lockfile.Module, *hcl.Diagnostic) {
	if m.lock == nil {
		file, diags := m.loaded.Lock()
		if diags.HasErrors() {
			return nil, diags[0]
		}
		m.lock = file
	}
	call := r.Call.Call()
	entry := m.lock.Module(call.String())
	switch {
	case entry == nil:
		return nil, ModuleNotInitialized.At(r.At, "%s is not in the lock file %s. %s", call, lockfile.Name, m.advice(message.HintLookUp, r))
	case !isEntryOf(entry, r.Call):
		return nil, ModuleNotInitialized.At(r.At, "%s has a different source or version in the lock file %s. %s", call, lockfile.Name, m.advice(message.HintLookUp, r))
	}
	return entry, nil
}

// isEntryOf reports whether a lock file entry has the source and version of a
// call.
func isEntryOf(e *lockfile.Module, call *hclspec.Module) bool {
	return e != nil && e.Source == call.Source && e.Version == call.Version
}

// changed returns the diagnostic for a hash that differs from the lock file.
func (m *modules) changed(e *lockfile.Module, hash string, r syntax.ModuleRequest) *hcl.Diagnostic {
	return ModuleLockMismatch.At(r.At, "The lock file contains the hash %s for %s, but the content of %s now has the hash %s. %s",
		marketplace.ShortHash(e.Hash), e.Address, r.Call.Source, marketplace.ShortHash(hash), m.advice(message.HintAcceptItem, r))
}

func (m *modules) advice(kind message.HintKind, r syntax.ModuleRequest) message.Hint {
	h := message.Hint{Kind: kind, Sentence: true}
	if kind == message.HintAcceptItem {
		h.Item = r.Call.Call().String()
	}
	return m.loaded.here(h)
}
