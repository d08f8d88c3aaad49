package marketplace

import (
	"context"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Closure is what references lead to, and what that requires.
type Closure struct {
	// Items are in the order they were met, each once by address.
	Items []*Found
	// References lead from what was written to an address.
	References map[string]string
	// Siblings lead for each address from the names that the item requires of
	// its own file to addresses.
	Siblings map[string]map[string]string
	// Kept are the addresses that were known already, in the order met.
	Kept []string
	// Requires leads from each address to those it requires, in order.
	Requires map[string][]string
	// Failures are the references that could not be followed, in order.
	Failures []Failure
}

// Failure is a reference without an item.
type Failure struct {
	Reference string
	// By is the address of the item that makes the reference, "" when it is the
	// workspace.
	By  string
	Err error
}

// Known is an item that needs no search.
type Known struct {
	Address string
	// Requires are references and names as in [Item.Requires]; Siblings leads
	// from the names to addresses.
	Requires []string
	Siblings map[string]string
}

// Closure follows references, and what the items they lead to require, to the
// end. It continues after a failure. known is asked first for each reference; it
// returns nil for one that is to be searched.
func (s *Set) Closure(ctx context.Context, references []string, want Want, known func(reference string) (*Known, error)) *Closure {
	c := &Closure{References: map[string]string{}, Siblings: map[string]map[string]string{}, Requires: map[string][]string{}}
	s.Extend(ctx, c, references, want, known)
	return c
}

// Extend adds what further references lead to, as [Set.Closure] does.
func (s *Set) Extend(ctx context.Context, c *Closure, references []string, want Want, known func(reference string) (*Known, error)) {
	w := &way{set: s, closure: c, known: known, failed: map[string]bool{}}
	for _, ref := range references {
		w.follow(ctx, ref, "", want)
	}
}

// way is the walk that fills a closure.
type way struct {
	set     *Set
	closure *Closure
	known   func(string) (*Known, error)
	failed  map[string]bool // references
	// full says that there is too much to follow.
	full bool
}

// Item returns the item of an address, or nil.
func (c *Closure) Item(address string) *Found {
	for _, f := range c.Items {
		if f.Address == address {
			return f
		}
	}
	return nil
}

// follow enters what a reference leads to and notes who required it.
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

// checkLimit fails when no further item may be looked up. What is not there
// counts too: it costs the search.
func (w *way) checkLimit() error {
	limit := w.set.options.limits().Items
	if len(w.closure.Items)+len(w.closure.Failures) < limit {
		return nil
	}
	w.full = true
	return failure(hclspec.ItemTooLarge, "what is referred to leads to more than %d items", limit)
}

// addKnown adds an item that is known already and follows what it requires.
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

// enter adds an item under a reference and follows what it requires.
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

// sibling follows a name to the item of the same file.
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

// sibling returns the item of the same file that a name means.
func (s *Set) sibling(ctx context.Context, f *Found, name string) (*Found, error) {
	if other := f.siblingOf(name); other != nil {
		return s.foundSibling(ctx, f, other), nil
	}
	var known []string
	for _, other := range f.Siblings {
		known = append(known, other.Definition())
	}
	return nil, failure(hclspec.ItemNotFound, "the file of the item has %s; items of other files are written marketplace://name/%s%s",
		quoted(known), name, suggestion(name, known))
}

// foundSibling gives an item of the same file its address: the one that
// everybody uses for it, where that leads to the same content.
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
