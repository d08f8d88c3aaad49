// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"context"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Closure contains the items that references resolve to, and all required items.
type Closure struct {
	// Items are in order of discovery, without duplicate addresses.
	Items []*Found
	// References maps each reference, as the user wrote it, to an address.
	References map[string]string
	// Siblings contains the items that an item requires from the same file.
	// The outer key is the address of the requiring item. The inner key is
	// the name of a required item. The value is the address of the required
	// item.
	Siblings map[string]map[string]string
	// Kept lists the addresses of items that Closure did not look up, in
	// order of discovery; see [Known].
	Kept []string
	// Requires maps the address of each item to the addresses of its
	// requirements.
	Requires map[string][]string
	// Failures lists the references that could not be resolved, in the order
	// of the attempts.
	Failures []Failure
}

// Failure is a reference that could not be resolved.
type Failure struct {
	Reference string
	// By is the address of the referring item, or "" for the workspace.
	By  string
	Err error
}

// Known is an item that Closure does not have to look up.
type Known struct {
	Address string
	// Requires lists references and names, as in [Item.Requires]. Siblings maps
	// the names to addresses.
	Requires []string
	Siblings map[string]string
}

// Closure resolves references and, recursively, the references in the resolved
// items. After a failure, Closure continues with the next reference. For each
// reference, Closure first calls known. It looks up the reference only if
// known returns nil.
func (s *Set) Closure(ctx context.Context, references []string, want Want, known func(reference string) (*Known, error)) *Closure {
	c := &Closure{References: map[string]string{}, Siblings: map[string]map[string]string{}, Requires: map[string][]string{}}
	s.Extend(ctx, c, references, want, known)
	return c
}

// Extend adds to c the closure of additional references; see [Set.Closure].
func (s *Set) Extend(ctx context.Context, c *Closure, references []string, want Want, known func(reference string) (*Known, error)) {
	w := &way{set: s, closure: c, known: known, failed: map[string]bool{}}
	for _, ref := range references {
		w.follow(ctx, ref, "", want)
	}
}

// way computes a closure.
type way struct {
	set     *Set
	closure *Closure
	known   func(string) (*Known, error)
	failed  map[string]bool // references
	// full is set when the number of lookups reaches the limit.
	full bool
}

// Item returns the item with the given address, or nil.
func (c *Closure) Item(address string) *Found {
	for _, f := range c.Items {
		if f.Address == address {
			return f
		}
	}
	return nil
}

// follow resolves a reference. by is the referring item, or "" for the
// workspace.
func (w *way) follow(ctx context.Context, ref, by string, want Want) {
	if !w.met(ref) && !w.full {
		if err := w.search(ctx, ref, want); err != nil {
			w.fail(ref, by, err)
		}
	}
	if to, ok := w.closure.References[ref]; ok && by != "" {
		w.closure.Requires[by] = append(w.closure.Requires[by], to)
	}
}

func (w *way) met(ref string) bool {
	_, ok := w.closure.References[ref]
	return ok || w.failed[ref]
}

func (w *way) fail(ref, by string, err error) {
	w.failed[ref] = true
	w.closure.Failures = append(w.closure.Failures, Failure{ref, by, err})
}

func (w *way) search(ctx context.Context, ref string, want Want) error {
	known, err := w.known(ref)
	if err != nil {
		return err
	}
	if known != nil {
		w.addKnown(ctx, ref, known)
		return nil
	}
	if err := w.checkLimit(); err != nil {
		return err
	}
	f, err := w.set.Find(ctx, ref, want)
	if err == nil {
		w.enter(ctx, ref, f)
	}
	return err
}

// checkLimit fails if the closure has too many items. It also counts failed
// lookups, because a failed lookup also requires a search.
func (w *way) checkLimit() error {
	limit := w.set.options.limits().Items
	if len(w.closure.Items)+len(w.closure.Failures) < limit {
		return nil
	}
	w.full = true
	return failure(hclspec.ItemTooLarge, "the references include more than %d items", limit)
}

func (w *way) addKnown(ctx context.Context, ref string, k *Known) {
	w.closure.References[ref] = k.Address
	if slices.Contains(w.closure.Kept, k.Address) {
		return
	}
	w.closure.Kept = append(w.closure.Kept, k.Address)
	for _, target := range k.Requires {
		if address, ok := k.Siblings[target]; ok {
			target = address
		}
		w.follow(ctx, target, k.Address, Prerequisite)
	}
}

// enter adds a found item and follows its references.
func (w *way) enter(ctx context.Context, ref string, f *Found) {
	w.closure.References[ref] = f.Address
	if w.closure.Item(f.Address) != nil {
		return
	}
	w.closure.Items = append(w.closure.Items, f)
	for _, target := range f.Requires() {
		if IsReference(target) {
			w.follow(ctx, target, f.Address, Prerequisite)
			continue
		}
		w.sibling(ctx, f, target)
	}
}

// sibling resolves a name to an item in the same file.
func (w *way) sibling(ctx context.Context, f *Found, name string) {
	if w.full {
		return
	}
	found, err := w.set.sibling(ctx, f, name)
	if err != nil || !w.met(found.Address) {
		if full := w.checkLimit(); full != nil {
			err = full
		}
	}
	if err != nil {
		w.fail(name, f.Address, err)
		return
	}
	if !w.met(found.Address) {
		w.enter(ctx, found.Address, found)
	}
	w.closure.Requires[f.Address] = append(w.closure.Requires[f.Address], found.Address)
	if w.closure.Siblings[f.Address] == nil {
		w.closure.Siblings[f.Address] = map[string]string{}
	}
	w.closure.Siblings[f.Address][name] = found.Address
}

func (s *Set) sibling(ctx context.Context, f *Found, name string) (*Found, error) {
	if other := f.siblingOf(name); other != nil {
		return s.foundSibling(ctx, f, other), nil
	}
	var known []string
	for _, other := range f.Siblings {
		known = append(known, other.Definition())
	}
	return nil, failure(hclspec.ItemNotFound, "the item's file contains only %s; refer to items in other files as marketplace://name/%s%s",
		quoted(known), name, suggestion(name, known))
}

// foundSibling returns an item from the same file with its address. The
// address omits the version if the unversioned address refers to the same
// content.
func (s *Set) foundSibling(ctx context.Context, f *Found, other *Item) *Found {
	if f.Market == "" {
		ref, _ := ParseReference(f.Address)
		return &Found{Item: other, Address: Reference{URL: ref.URL, Name: other.Name}.String()}
	}
	usual, err := s.Find(ctx, address(f.Market, other, ""), Prerequisite)
	if err == nil && usual.Hash() == other.Hash() {
		return usual
	}
	return &Found{Item: other, Market: f.Market, Address: address(f.Market, other, other.Version)}
}
