package resolve

import (
	"errors"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// site is where a reference was written.
type site struct {
	scope *scope
	// by is what refers: `task role "worker"` or the address of an instance.
	by string
	// from is the site of the reference that brought by in, nil for a task role.
	from *site
	// want is the type that must be found, "" for any.
	want string
	path hclspec.Path
}

func (s site) rng() hcl.Range { return s.scope.sources.Range(s.path) }

// reached tells how a prerequisite that was not listed by the role came in.
func (s site) reached() string {
	if s.from == nil {
		return ""
	}
	var t trail
	for up := &s; up != nil; up = up.from {
		t.add(up.by)
	}
	way := t.named()
	slices.Reverse(way)
	return " It is reached by " + strings.Join(way, " -> ") + "."
}

// find returns the definition that a reference means, or nil after a finding.
func (r *resolver) find(target string, at site) *definition {
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
	if at.want == "" && len(found) > 1 {
		r.reportAt(hclspec.AmbiguousPrerequisite, at.rng(), "%s asks for %q, which is %s and %s. Write the address of the one that is meant.%s",
			upperFirst(at.by), target, found[0].address, found[1].address, at.reached())
		return found[0]
	}
	for _, d := range found {
		if at.want == "" || d.Type == at.want {
			return d
		}
	}
	return r.typed(found[0], target, at)
}

// typed checks the type of what was found.
func (r *resolver) typed(d *definition, target string, at site) *definition {
	if d == nil || at.want == "" || d.Type == at.want {
		return d
	}
	r.reportAt(hclspec.WrongPrerequisiteType, at.rng(), "%s asks for a prerequisite of type %s, but %q is of type %s.",
		upperFirst(at.by), at.want, target, orDefault(d.Type, "script"))
	return nil
}

func (r *resolver) known(d *definition, target string, at site, address bool) *definition {
	if d == nil {
		r.reportAt(hclspec.UnknownPrerequisite, at.rng(), "%s asks for the prerequisite %q, which is not declared in %s.%s%s",
			upperFirst(at.by), target, at.scope.places, hclspec.Suggest(target, at.scope.known(address)), at.reached())
	}
	return d
}

// item returns a marketplace item. Each reference is asked for once per job.
func (r *resolver) item(ref string, at site) *definition {
	if r.unused {
		return nil
	}
	if r.in.Items == nil {
		r.reportAt(hclspec.ItemsNotInitialised, at.rng(), "%s asks for %s, which is not in the lock file. Run `openpai init` to fetch it.%s",
			upperFirst(at.by), ref, at.reached())
		return nil
	}
	got, asked := r.items[ref]
	if !asked {
		got = r.fetch(ref)
		r.items[ref] = got
	}
	if got.err != nil {
		r.reportAt(unavailable(got.err), at.rng(), "%s asks for %s: %s.%s", upperFirst(at.by), ref, got.err, at.reached())
	}
	return got.definition
}

// unavailable is the kind of finding that an error of [Items] asks for.
func unavailable(err error) *hclspec.Entry {
	var known interface{ Entry() *hclspec.Entry }
	if errors.As(err, &known) {
		return known.Entry()
	}
	return hclspec.ItemUnavailable
}

// answer is what a reference to an item gave.
type answer struct {
	definition *definition
	err        error
}

// fetch makes a definition of an item. References to the same item give the
// same definition.
func (r *resolver) fetch(ref string) answer {
	item, err := r.in.Items.Item(ref)
	if err != nil {
		return answer{err: err}
	}
	address := orDefault(item.Address, ref)
	for _, known := range r.items {
		if known.definition != nil && known.definition.address == address {
			return known
		}
	}
	scope := emptyScope(item.Sources, "the file of the item")
	scope.siblings = item.Siblings
	return answer{definition: scope.add(item.Definition, address, item.Source)}
}

func upperFirst(s string) string {
	if strings.HasPrefix(s, "task role ") || strings.HasPrefix(s, "the ") {
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return s
}
