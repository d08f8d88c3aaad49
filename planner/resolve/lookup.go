// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// site is the location of a reference.
type site struct {
	scope *scope
	// owner is the declaration with the reference: `task role "worker"` or an
	// instance address.
	owner string
	// from is the site of the reference to the owner, or nil for a task role.
	from *site
	// wantType is the required type of the target, "" for any.
	wantType string
	path     hclspec.Path
	// unbound is set if the values of template variables are unknown. In that
	// case, definitions.item does not fetch marketplace items.
	unbound bool
}

func (s site) sourceRange() hcl.Range { return s.scope.sources.Range(s.path) }

// requiredThrough returns a sentence with the require chain from the role to
// the prerequisite. It returns "" if the role itself contains the reference.
func (s site) requiredThrough() string {
	if s.from == nil {
		return ""
	}
	var t requireChain
	for up := &s; up != nil; up = up.from {
		t.add(up.owner)
	}
	way := t.list()
	slices.Reverse(way)
	return " Require chain: " + strings.Join(way, " -> ") + "."
}

// definitions finds the definition for a reference.
type definitions struct {
	*reporter
	source Items                 // nil if items are not fetched
	items  map[string]itemResult // by reference
}

func newDefinitions(r *reporter, source Items) *definitions {
	return &definitions{reporter: r, source: source, items: map[string]itemResult{}}
}

// find reports a diagnostic and returns nil if it finds no definition.
func (r *definitions) find(target string, at site) *definition {
	switch {
	case isItem(target):
		return r.typed(r.item(target, at), target, at)
	case isAddress(target, "prerequisite"):
		return r.typed(r.known(at.scope.at(target), target, at, true), target, at)
	}
	if sibling, ok := at.scope.siblings[target]; ok {
		return r.typed(r.item(sibling, at), target, at)
	}
	found := at.scope.named(target)
	if len(found) == 0 {
		return r.known(nil, target, at, false)
	}
	if at.wantType == "" && len(found) > 1 {
		r.reportAt(AmbiguousPrerequisite, at.sourceRange(), "%s refers to %q, which is both %s and %s. Write the address of the intended prerequisite.%s",
			upperFirst(at.owner), target, found[0].address, found[1].address, at.requiredThrough())
		return found[0]
	}
	for _, d := range found {
		if at.wantType == "" || d.Type == at.wantType {
			return d
		}
	}
	return r.typed(found[0], target, at)
}

// typed reports a diagnostic and returns nil if the definition has the wrong
// type.
func (r *definitions) typed(d *definition, target string, at site) *definition {
	if d == nil || at.wantType == "" || d.Type == at.wantType {
		return d
	}
	r.reportAt(hclspec.WrongPrerequisiteType, at.sourceRange(), "%s requires a prerequisite of type %s, but %q has type %s.",
		upperFirst(at.owner), at.wantType, target, cmp.Or(d.Type, "script"))
	return nil
}

func (r *definitions) known(d *definition, target string, at site, address bool) *definition {
	if d == nil {
		r.reportAt(hclspec.UnknownPrerequisite, at.sourceRange(), "%s refers to the prerequisite %q, which is not declared in %s.%s%s",
			upperFirst(at.owner), target, at.scope.places, hclspec.Suggest(target, at.scope.known(address)), at.requiredThrough())
	}
	return d
}

// item requests each marketplace reference from the source only once per job.
func (r *definitions) item(ref string, at site) *definition {
	if at.unbound {
		return nil
	}
	if r.source == nil {
		r.reportAt(hclspec.ItemsNotInitialized, at.sourceRange(), "%s refers to %s, which is not in the lock file. %s%s",
			upperFirst(at.owner), ref, message.Hint{Kind: message.HintFetch, Sentence: true}, at.requiredThrough())
		return nil
	}
	got, asked := r.items[ref]
	if !asked {
		got = r.fetch(ref)
		r.items[ref] = got
	}
	if got.err != nil {
		r.reportAt(unavailable(got.err), at.sourceRange(), "%s refers to %s: %s%s", upperFirst(at.owner), ref, message.Sentence("%s", got.err), at.requiredThrough())
	}
	return got.definition
}

// unavailable returns the catalog entry for an error that [Items] returned.
func unavailable(err error) *hclspec.Entry {
	var known interface{ Entry() *hclspec.Entry }
	if errors.As(err, &known) {
		return known.Entry()
	}
	return hclspec.ItemUnavailable
}

// itemResult is the result of fetching an item reference.
type itemResult struct {
	definition *definition
	err        error
}

// fetch returns one shared definition for all references to the same item.
func (r *definitions) fetch(ref string) itemResult {
	item, err := r.source.Item(ref)
	if err != nil {
		return itemResult{err: err}
	}
	address := cmp.Or(item.Address, ref)
	for _, known := range r.items {
		if known.definition != nil && known.definition.address == address {
			return known
		}
	}
	scope := emptyScope(item.Sources, "the file of the item")
	scope.siblings = item.Siblings
	used := item.Used
	used.Address, used.Name, used.Type, used.Title = address, item.Definition.PlainName(), cmp.Or(item.Definition.Type, "script"), item.Definition.Title
	definition := scope.add(item.Definition, address, used.Origin())
	definition.item = used
	return itemResult{definition: definition}
}

// used returns the items that the job refers to, sorted by address. The
// parameter job is the item that the job comes from; the result includes it
// unless it is nil.
func (r *definitions) used(job *UsedItem) []UsedItem {
	var all []UsedItem
	if job != nil {
		all = append(all, *job)
	}
	for _, got := range r.items {
		if got.definition != nil {
			all = append(all, got.definition.item)
		}
	}
	slices.SortFunc(all, func(a, b UsedItem) int { return cmp.Compare(a.Address, b.Address) })
	return slices.Compact(all)
}

func upperFirst(s string) string {
	if strings.HasPrefix(s, "task role ") || strings.HasPrefix(s, "the ") {
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}

// maxSteps is the maximum number of require chain steps in a message.
const maxSteps = 10

// requireChain lists, for a message, a prerequisite and the declarations that
// require it. It omits the middle of a long chain, because each prerequisite
// of the chain can cause a message with the chain.
type requireChain struct {
	shown   []string
	omitted int
}

func (c *requireChain) add(step string) {
	if len(c.shown) == maxSteps {
		c.shown = slices.Delete(c.shown, maxSteps/2, maxSteps/2+1)
		c.omitted++
	}
	c.shown = append(c.shown, step)
}

// list returns the steps in the order of the add calls. An entry with the
// number of omitted steps replaces these steps.
func (c *requireChain) list() []string {
	if c.omitted == 0 {
		return c.shown
	}
	return slices.Insert(slices.Clone(c.shown), maxSteps/2, fmt.Sprintf("%d more", c.omitted))
}
