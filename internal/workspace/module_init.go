// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/module"
)

// moduleInit fetches the modules of a workspace. It fetches them while Load
// decodes the workspace, because a fetched module can call other modules.
type moduleInit struct {
	ctx     context.Context
	options InitOptions
	fetcher *module.Fetcher
	// entries contains the modules in use, keyed by address. fetched marks the
	// modules whose locked content Init had to fetch again.
	entries map[string]*lockfile.Module
	fetched map[string]bool
	before  *lockfile.File
	// warnings contains the diagnostics about locked modules that Init does not
	// update.
	warnings hcl.Diagnostics
}

func newModuleInit(ctx context.Context, o Options, init InitOptions) *moduleInit {
	init.Sources.Environ = o.Environ
	return &moduleInit{
		ctx: ctx, options: init, fetcher: &module.Fetcher{Options: init.Sources},
		entries: map[string]*lockfile.Module{}, fetched: map[string]bool{},
	}
}

// isUpdate reports whether to look up a locked module again.
func (i *moduleInit) isUpdate(address string) bool {
	return i.options.Update && (len(i.options.Addresses) == 0 || slices.Contains(i.options.Addresses, address))
}

// kept returns the lock file entry, or nil if the module must be looked up.
func (i *moduleInit) kept(m *modules, r syntax.ModuleRequest) (*lockfile.Module, *hcl.Diagnostic) {
	if i.before == nil {
		file, diags := m.loaded.Lock()
		if diags.HasErrors() {
			return nil, diags[0]
		}
		i.before = file
	}
	e := i.before.Module(r.Call.Call().String())
	if !isEntryOf(e, r.Call) || i.isUpdate(e.Address) {
		return nil, nil
	}
	return e, nil
}

// remote returns the lock file entry for a module from a repository or an
// archive. It fetches a package that is not in the cache.
func (i *moduleInit) remote(m *modules, source module.Source, r syntax.ModuleRequest) (*lockfile.Module, *hcl.Diagnostic) {
	address := r.Call.Call().String()
	if done := i.entries[address]; done != nil { // found for another instance of the calling module
		return done, nil
	}
	kept, diag := i.kept(m, r)
	if diag != nil {
		return nil, diag
	}
	if kept != nil {
		i.entries[address] = kept
		if _, err := m.cache.Get(kept.Hash); err == nil {
			return kept, nil
		}
		if kept.Commit != "" {
			source.Ref, source.Version = kept.Commit, ""
		}
	}
	i.fetcher.Cache = m.cache
	found, err := i.fetcher.Fetch(i.ctx, source)
	switch {
	case err != nil:
		return nil, i.asLocked(kept, ModuleUnavailable.At(r.At, "%s: %s", address, message.Sentence("%s", m.loaded.Advised(err))))
	case kept != nil && kept.Hash != found.Hash:
		return nil, i.asLocked(kept, m.changed(kept, found.Hash, r))
	case kept != nil:
		i.fetched[address] = true
		return kept, nil
	}
	i.entries[address] = &lockfile.Module{Address: address, Source: r.Call.Source, Version: r.Call.Version, Commit: found.Commit, Hash: found.Hash}
	return i.entries[address], nil
}

// asLocked returns the diagnostic for a locked module whose content is missing
// or differs. During an update, it is a warning unless this module calls an
// item or module to update. With pruning, it is an error, because Init needs
// the list of called modules. kept is nil for a module that must be looked up.
func (i *moduleInit) asLocked(kept *lockfile.Module, diag *hcl.Diagnostic) *hcl.Diagnostic {
	if kept == nil || !i.options.Update || i.options.Prune || slices.ContainsFunc(i.options.Addresses, func(a string) bool { return strings.HasPrefix(a, kept.Address+".") }) {
		return diag
	}
	diag.Severity = hcl.DiagWarning
	i.warnings = append(i.warnings, diag)
	return diag
}

// directory adds a module in a directory outside the workspace.
func (i *moduleInit) directory(m *modules, hash string, r syntax.ModuleRequest) *hcl.Diagnostic {
	address := r.Call.Call().String()
	kept, diag := i.kept(m, r)
	switch {
	case diag != nil:
		return diag
	case kept != nil && kept.Hash != hash:
		i.entries[address] = kept
		return i.asLocked(kept, m.changed(kept, hash, r))
	}
	i.entries[address] = &lockfile.Module{Address: address, Source: r.Call.Source, Version: r.Call.Version, Hash: hash}
	return nil
}

func (i *moduleInit) record(o InitOptions, file *lockfile.File) []LockChange {
	var changes []LockChange
	for _, address := range slices.Sorted(maps.Keys(i.entries)) {
		e, old := i.entries[address], file.Module(address)
		action := "kept"
		switch {
		case old == nil:
			action, old = "added", &lockfile.Module{}
		case old.Hash != e.Hash || old.Version != e.Version || old.Source != e.Source:
			action = "updated"
		case i.fetched[address]:
			action = "fetched"
		}
		file.PutModule(e)
		changes = append(changes, moduleChange(action, old, e))
	}
	for _, old := range slices.Clone(file.Modules) {
		if o.Prune && i.entries[old.Address] == nil {
			file.RemoveModule(old.Address)
			changes = append(changes, moduleChange("removed", old, &lockfile.Module{Address: old.Address}))
		}
	}
	return changes
}

func moduleChange(action string, old, e *lockfile.Module) LockChange {
	return LockChange{
		Address: e.Address, Action: action, Old: revision(old), New: revision(e), Source: e.Source, HashBefore: old.Hash, HashNow: e.Hash,
	}
}

// revision returns the requested version or git revision.
func revision(e *lockfile.Module) string {
	source, err := module.Parse(e.Source, e.Version)
	if err != nil {
		return e.Version
	}
	if source.Version != "" {
		return source.Version
	}
	return source.Ref
}
