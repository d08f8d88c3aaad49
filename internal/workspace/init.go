// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/statedir"
)

// InitOptions controls what Init may change.
type InitOptions struct {
	// If Update is set, Init looks up the locked items in Addresses again, or all
	// items if Addresses is empty. An address can be any reference that resolves
	// to the item.
	Update    bool
	Addresses []string
	// Prune removes entries that the workspace does not need.
	Prune bool
	// Sources are the options for opening sources. Tests use them to simulate
	// networks.
	Sources marketplace.Options
}

// LockChange describes how Init changed the entry of one item or module.
type LockChange struct {
	Address string
	// Action is "added", "updated", "kept", "fetched" or "removed". "fetched" means
	// that Init fetched the locked content again.
	Action     string
	Old, New   string // versions
	Source     string
	HashBefore string
	HashNow    string
}

// Init looks up the unlocked items that the workspace uses, stores their contents
// and writes the lock file. It does not change the entries of locked items, but
// fetches missing contents again. If any diagnostic is an error, Init does not
// write any files.
func (l *Loaded) Init(ctx context.Context, o InitOptions) ([]LockChange, hcl.Diagnostics, error) {
	file, diags := l.Lock()
	if diags.HasErrors() {
		return nil, diags, nil
	}
	i := &initialization{loaded: l, options: o, file: file, cache: l.ItemCache(), set: l.Marketplaces(o.Sources)}
	i.chooseUpdates()
	i.run(ctx)
	if err := ctx.Err(); err != nil {
		return nil, nil, err // the items did not cause this error
	}
	if i.diags.HasErrors() {
		return nil, hclspec.Sort(i.diags), nil
	}
	if l.modules != nil {
		i.changes = append(l.modules.record(o, file), i.changes...)
		i.diags = append(i.diags, l.modules.warnings...)
	}
	if err := i.write(); err != nil {
		return nil, nil, err
	}
	if err := statedir.Ignore(filepath.Join(l.Dir, statedir.Name)); err != nil {
		return nil, nil, err
	}
	return i.changes, hclspec.Sort(i.diags), nil
}

// initialization is the state of one call to Init.
type initialization struct {
	loaded  *Loaded
	options InitOptions
	file    *lockfile.File
	cache   lockfile.Cache
	set     *marketplace.Set
	// updates is the set of addresses to look up again.
	updates map[string]bool
	// contents holds the item contents to store.
	contents [][]byte
	fetched  map[string]bool
	changes  []LockChange
	diags    hcl.Diagnostics
}

func (i *initialization) chooseUpdates() {
	i.updates = map[string]bool{}
	i.fetched = map[string]bool{}
	if !i.options.Update {
		return
	}
	if len(i.options.Addresses) == 0 {
		for _, e := range i.file.Items {
			i.updates[e.Address] = true
		}
		return
	}
	var known []string
	for _, e := range i.file.Items {
		known = append(append(known, e.Address), e.References...)
	}
	for _, e := range i.file.Modules {
		known = append(known, e.Address)
	}
	for _, input := range i.options.Addresses {
		if i.choose(input) || i.file.Module(input) != nil {
			continue
		}
		i.diags = append(i.diags, hclspec.ItemNotFound.At(hcl.Range{}, "%s is not in the lock file.%s", input, hclspec.Suggest(input, known)))
	}
}

// choose marks for update the items to which a reference resolves now or would
// resolve after an update.
func (i *initialization) choose(input string) bool {
	if e := i.file.Item(input); e != nil {
		i.updates[e.Address] = true
		return true
	}
	asked, err := marketplace.ParseReference(input)
	if err != nil || asked.ID != "" || asked.URL != "" {
		return false
	}
	found := false
	for _, e := range i.file.Items {
		r, err := marketplace.ParseReference(e.Address)
		if err == nil && r.Name == asked.Name && fits(asked.Type, r.Type) && fits(asked.From, r.From) && fits(asked.Version, e.Version) {
			i.updates[e.Address] = true
			found = true
		}
	}
	return found
}

func fits(asked, found string) bool { return asked == "" || asked == found }

func (i *initialization) run(ctx context.Context) {
	references := i.loaded.References()
	var targets []string
	for _, r := range references {
		targets = append(targets, r.Target)
	}
	known := func(ref string) (*marketplace.Known, error) { return i.known(ctx, ref) }
	var jobs []string
	if i.loaded.item != "" {
		jobs, targets = targets[:1], targets[1:]
	}
	c := i.set.Closure(ctx, jobs, marketplace.Job, known)
	i.set.Extend(ctx, c, targets, marketplace.Prerequisite, known)
	if len(c.Failures) == 0 {
		i.set.Extend(ctx, c, i.unmet(c), marketplace.Any, known)
	}
	for _, f := range c.Failures {
		i.failure(c, f, references)
	}
	i.diags = append(i.diags, cycles(c, references)...)
	if !i.diags.HasErrors() {
		i.record(c)
	}
}

// unmet returns the addresses to update that do not belong to any item in
// this workspace. Other workspaces in the directory may use these addresses.
func (i *initialization) unmet(c *marketplace.Closure) []string {
	var rest []string
	for _, address := range slices.Sorted(maps.Keys(i.updates)) {
		if len(i.options.Addresses) > 0 && c.Item(address) == nil {
			rest = append(rest, address)
		}
	}
	return rest
}

// failure adds the diagnostic for an unresolved reference.
func (i *initialization) failure(c *marketplace.Closure, f marketplace.Failure, references []Reference) {
	kind := hclspec.ItemUnavailable
	var known interface{ Entry() *hclspec.Entry }
	if errors.As(f.Err, &known) {
		kind = known.Entry()
	}
	var at hcl.Range
	by := ""
	if f.By != "" {
		at, by = leading(c, references, f.By), ", which "+f.By+" requires,"
	} else if n := slices.IndexFunc(references, func(r Reference) bool { return r.Target == f.Reference }); n >= 0 {
		at = references[n].At
	}
	i.diags = append(i.diags, kind.At(at, "%s%s is not available: %s", f.Reference, by, message.Sentence("%s", i.loaded.Advised(f.Err))))
}

// known returns the locked item, or nil if the reference must be looked up. It
// fails if the content is missing and cannot be fetched unchanged.
func (i *initialization) known(ctx context.Context, ref string) (*marketplace.Known, error) {
	e := i.file.Item(ref)
	if e == nil || i.updates[e.Address] {
		return nil, nil
	}
	content, err := i.cache.Get(e.Hash)
	if err != nil {
		if content, err = i.set.Locked(ctx, e.Address, e.Source, e.Hash); err != nil {
			return nil, err
		}
		i.contents = append(i.contents, content)
		i.fetched[e.Address] = true
	}
	items, diags := marketplace.ParseFile(e.Address, content)
	if diags.HasErrors() || len(items) != 1 {
		return nil, fmt.Errorf("its content cannot be read: %w", diags)
	}
	return &marketplace.Known{Address: e.Address, Requires: items[0].Requires(), Siblings: e.Requires}, nil
}
