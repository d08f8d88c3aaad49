// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
)

func (i *initialization) record(c *marketplace.Closure) {
	before := map[string]*lockfile.Entry{}
	for _, e := range i.file.Items {
		before[e.Address] = e
	}
	leads := map[string][]string{}
	for ref, address := range c.References {
		if ref != address {
			leads[address] = append(leads[address], ref)
		}
	}
	for _, address := range c.Kept {
		e := *before[address]
		e.References = append(slices.Clone(e.References), leads[address]...)
		i.file.Put(&e)
		action := "kept"
		if i.fetched[address] {
			action = "fetched"
		}
		i.change(action, &e, &e)
	}
	for _, f := range c.Items {
		e := &lockfile.Entry{Address: f.Address, References: leads[f.Address], Source: f.Place, Version: f.Version, Hash: f.Hash(), Requires: c.Siblings[f.Address]}
		i.contents = append(i.contents, f.Content)
		i.enter(e, before[f.Address])
	}
	if i.options.Prune {
		i.prune(c, before)
	}
}

// enter records an entry. It keeps the old entry's references, because other
// workspaces in the directory may use them, but drops references to other
// versions.
func (i *initialization) enter(e, old *lockfile.Entry) {
	if old == nil {
		i.file.Put(e)
		i.change("added", &lockfile.Entry{}, e)
		return
	}
	for _, ref := range old.References {
		if r, err := marketplace.ParseReference(ref); err == nil && (r.Version == "" || r.Version == e.Version) {
			e.References = append(e.References, ref)
		}
	}
	i.file.Put(e)
	if old.Hash == e.Hash && old.Version == e.Version {
		i.change("kept", old, e)
		return
	}
	i.change("updated", old, e)
}

func (i *initialization) prune(c *marketplace.Closure, before map[string]*lockfile.Entry) {
	for _, address := range slices.Sorted(maps.Keys(before)) {
		if !slices.Contains(c.Kept, address) && c.Item(address) == nil {
			i.file.Remove(address)
			i.change("removed", before[address], &lockfile.Entry{Address: address})
		}
	}
}

func (i *initialization) change(action string, old, e *lockfile.Entry) {
	i.changes = append(i.changes, LockChange{
		Address: e.Address, Action: action, Old: old.Version, New: e.Version, Source: e.Source, HashBefore: old.Hash, HashNow: e.Hash,
	})
}

// write stores the contents before the lock file. Otherwise, after an interrupt,
// the lock file could refer to missing contents.
func (i *initialization) write() error {
	for _, content := range i.contents {
		if err := i.cache.Put(content); err != nil {
			return err
		}
	}
	if i.file.Empty() && i.loaded.Files[lockfile.Name] == nil {
		return nil
	}
	return i.loaded.writeLock(i.file)
}

func (l *Loaded) writeLock(file *lockfile.File) error {
	text := file.Bytes()
	if bytes.Equal(text, l.Files[lockfile.Name]) {
		return nil
	}
	if err := atomicfile.Write(l.lockFile(), text, os.FileMode(0o644)); err != nil {
		return fmt.Errorf("write the lock file: %w", err)
	}
	l.Files[lockfile.Name] = text
	return nil
}
