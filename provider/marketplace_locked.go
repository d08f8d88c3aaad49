// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

// locked provides the lock file's items from one source.
type locked struct {
	file   *lockfile.File
	cache  lockfile.Cache
	set    *marketplace.Set
	source string // as written in the configuration
}

// lockedItems reads the lock file of the working directory. A missing file is
// like an empty file.
func (c *connection) lockedItems(set *marketplace.Set, source string) (*locked, hcl.Diagnostics) {
	here := &workspace.Loaded{Dir: c.workingDirectory(), Files: map[string][]byte{}}
	file, diags := here.Lock()
	return &locked{file: file, cache: here.ItemCache(), set: set, source: source}, diags
}

// read returns nil if the item is not locked.
func (l *locked) read(ctx context.Context, want marketplace.Reference) (*marketplace.Found, *definition, error) {
	e := l.find(want)
	if e == nil {
		return nil, nil, nil
	}
	closure, err := l.closure(ctx, e)
	if err != nil {
		return nil, nil, err
	}
	found := closure.Item(e.Address)
	if found.Job != nil {
		return found, nil, nil
	}
	def, err := definitionOfItem(closure, l.source, e.Address)
	return found, def, err
}

// find returns the only entry that matches a reference. If several entries
// match, it returns the only matching entry whose address has no version.
// Otherwise, it returns nil.
func (l *locked) find(want marketplace.Reference) *lockfile.Entry {
	var all []*lockfile.Entry
	for _, e := range l.file.Items {
		ref, err := marketplace.ParseReference(e.Address)
		if err != nil || ref.Name != want.Name || want.Type != "" && ref.Type != want.Type || want.Version != "" && e.Version != want.Version || !isFrom(e.Source, l.source) {
			continue
		}
		all = append(all, e)
	}
	if len(all) > 1 {
		all = slices.DeleteFunc(all, func(e *lockfile.Entry) bool { return strings.Contains(e.Address, "version=") })
	}
	if len(all) != 1 {
		return nil
	}
	return all[0]
}

// isFrom reports whether the location of an item is in a source, ignoring
// revisions. It also ignores cluster names, because Terraform configurations
// have no cluster blocks.
func isFrom(place, source string) bool {
	if namespace, ok := strings.CutPrefix(source, kubernetesScheme); ok {
		parts := strings.Split(strings.TrimPrefix(place, kubernetesScheme), "/")
		return strings.HasPrefix(place, kubernetesScheme) && len(parts) == 3 && (namespace == "" || parts[1] == namespace)
	}
	in, root := sourceRoot(place), sourceRoot(source)
	return in == root || strings.HasPrefix(in, root+"/")
}

// sourceRoot removes the directory, revision and item from a source.
func sourceRoot(text string) string {
	for _, kind := range []string{"git::", "rest::", "items::", "file://"} {
		text = strings.TrimPrefix(text, kind)
	}
	text, _, _ = strings.Cut(text, "#")
	text, _, _ = strings.Cut(text, "?")
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		dir, _, _ := strings.Cut(text, "//")
		return path.Clean(dir)
	}
	rest, _, _ = strings.Cut(rest, "//")
	return scheme + "://" + strings.TrimRight(rest, "/")
}

// closure returns the item of an entry and its requirements.
func (l *locked) closure(ctx context.Context, e *lockfile.Entry) (*marketplace.Closure, error) {
	c := &marketplace.Closure{References: map[string]string{}, Siblings: map[string]map[string]string{}}
	return c, l.add(ctx, c, e)
}

func (l *locked) add(ctx context.Context, c *marketplace.Closure, e *lockfile.Entry) error {
	if c.Item(e.Address) != nil {
		return nil
	}
	item, err := l.item(ctx, e)
	if err != nil {
		return fmt.Errorf("%s: %w", e.Address, err)
	}
	c.Items = append(c.Items, &marketplace.Found{Item: item, Address: e.Address})
	c.Siblings[e.Address] = e.Requires
	if item.Job != nil {
		return nil
	}
	for _, target := range item.Requires() {
		address, ok := e.Requires[target]
		if !ok {
			address = target
		}
		required := l.file.Item(address)
		if required == nil {
			return &marketplace.Error{Kind: hclspec.LockMismatch, Detail: fmt.Sprintf("%s requires %s, which is not in the lock file %s", e.Address, target, lockfile.Name)}
		}
		c.References[target] = required.Address
		if err := l.add(ctx, c, required); err != nil {
			return err
		}
	}
	return nil
}

// item reads an entry from the cache, or from the source at the locked
// revision.
func (l *locked) item(ctx context.Context, e *lockfile.Entry) (*marketplace.Item, error) {
	ref, err := marketplace.ParseReference(e.Address)
	if err != nil {
		return nil, err
	}
	content, err := l.cache.Get(e.Hash)
	if err != nil {
		there := ref
		if there.URL == "" {
			there.From = marketplaceName
		}
		if content, err = l.set.Locked(ctx, there.String(), e.Source, e.Hash); err != nil {
			return nil, err
		}
	}
	items, diags := marketplace.ParseFile(e.Address, content)
	if diags.HasErrors() || len(items) != 1 {
		return nil, &marketplace.Error{Kind: hclspec.ItemNotParseable, Detail: "the locked content is not a valid item"}
	}
	i := items[0]
	i.Name, i.Version, i.Place = ref.Name, e.Version, e.Source
	return i, nil
}
