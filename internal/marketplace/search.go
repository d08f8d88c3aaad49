// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// search collects items that match a reference.
type search struct {
	set  *Set
	ref  Reference
	want Want
	// hits are the matching items. others are the items whose kind or version does
	// not match.
	hits, others []*Found
	// named are the items with the same name but a different type.
	named    []*Found
	known    []string
	problems []*Error
}

func (s *search) in(ctx context.Context, m *hclspec.Marketplace) error {
	l, err := s.set.List(ctx, m, Query{ID: s.ref.ID, Name: s.ref.Name})
	if err != nil {
		return within(s.set.label(m.Name), err)
	}
	if s.ref.ID == "" && !slices.ContainsFunc(l.Items, s.ref.Matches) {
		if l, err = s.set.List(ctx, m, Query{}); err != nil {
			return within(s.set.label(m.Name), err)
		}
	}
	s.add(m.Name, l)
	return nil
}

func within(label string, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return &Error{Kind: e.Kind, Detail: label + ": " + e.Detail, Cause: e.Cause, hint: e.hint}
	}
	return err
}

// add adds at most one version of each matching item.
func (s *search) add(market string, l *Listing) {
	s.problems = append(s.problems, l.Problems...)
	newest, meant := versions{}, versions{}
	for _, i := range l.Items {
		s.known = append(s.known, i.Name)
		if !s.ref.Matches(i) {
			if untyped := (Reference{Name: s.ref.Name}); s.ref.Type != "" && s.ref.Name != "" && untyped.Matches(i) && s.want.fits(i) {
				s.named = append(s.named, found(market, i, i.Version))
			}
			continue
		}
		if !s.want.fits(i) || s.ref.Version != "" && s.ref.Version != i.Version {
			s.others = append(s.others, &Found{Item: i, Market: market})
			continue
		}
		meant.add(i)
	}
	for _, i := range l.Items {
		if _, ok := meant[i.kin()]; ok {
			newest.add(i)
		}
	}
	for _, i := range l.Items {
		version, ok := meant[i.kin()]
		if ok && s.ref.Matches(i) && s.want.fits(i) && i.Version == version {
			s.hits = append(s.hits, found(market, i, newest[i.kin()]))
		}
	}
}

// kin identifies an item, regardless of its version.
type kin struct{ kind, name string }

func (i *Item) kin() kin { return kin{i.Type, i.Name} }

// versions maps each item, identified without a version, to its newest
// version.
type versions map[kin]string

func (v versions) add(i *Item) {
	if old, ok := v[i.kin()]; !ok || newer(i.Version, old) {
		v[i.kin()] = i.Version
	}
}

// found returns an item with its address. The address omits the version if the
// item is the newest version.
func found(market string, i *Item, newest string) *Found {
	f := &Found{Item: i, Market: market, Newest: !newer(newest, i.Version)}
	version := ""
	if !f.Newest {
		version = i.Version
	}
	f.Address = address(market, i, version)
	return f
}

func address(market string, i *Item, version string) string {
	return Reference{Type: i.Type, Name: i.Name, From: market, Version: version}.String()
}

func (s *search) result() (*Found, error) {
	hits := s.distinct()
	switch len(hits) {
	case 1:
		return hits[0], nil
	case 0:
		return nil, s.notFound()
	}
	var places []string
	for _, h := range hits {
		places = append(places, h.label()+" of "+s.where(h))
	}
	return nil, failure(AmbiguousItem, "it means %s. %s", strings.Join(places, " and "), s.distinguish(hits))
}

// distinct removes duplicate hits, which have the same address and content. A
// source can contain an item twice.
func (s *search) distinct() []*Found {
	var all []*Found
	met := map[[2]string]bool{}
	for _, h := range s.hits {
		if same := [2]string{h.Address, h.Hash()}; !met[same] {
			met[same] = true
			all = append(all, h)
		}
	}
	return all
}

func (s *search) where(f *Found) string {
	if f.Market == "" {
		return f.Place
	}
	return s.set.label(f.Market) + " (" + f.Place + ")"
}

// distinguish returns a sentence that explains how to select one of several hits.
func (s *search) distinguish(hits []*Found) string {
	if choice, several := s.choose(hits); several {
		return choice
	}
	return "Both items have the same name, type and version; remove one item, or change its version"
}

// choose returns a sentence that explains how to select one of the items.
// several reports whether a reference can distinguish the items.
func (s *search) choose(items []*Found) (sentence string, several bool) {
	verb, options := "Write ", []string{}
	for _, i := range items {
		options = append(options, i.Address)
	}
	if s.set.options.Unnamed {
		verb = "Choose the type "
		for n, i := range items {
			options[n] = i.Type
		}
	}
	slices.Sort(options)
	options = slices.Compact(options)
	return verb + strings.Join(options, " or "), len(options) > 1
}

func (s *search) notFound() error {
	markets := "no marketplace contains the item"
	if s.ref.From != "" {
		markets = s.set.label(s.ref.From) + " does not contain the item"
	}
	if s.ref.URL != "" {
		markets = "the file does not contain the item"
	}
	for _, o := range s.others {
		if !s.want.fits(o.Item) {
			return s.wrongKind(o)
		}
	}
	if len(s.others) > 0 {
		var versions []string
		for _, o := range s.others {
			versions = append(versions, cmp.Or(o.Version, "(none)"))
		}
		slices.SortFunc(versions, func(a, b string) int {
			switch {
			case newer(b, a):
				return -1
			case newer(a, b):
				return 1
			}
			return strings.Compare(a, b)
		})
		return failure(hclspec.ItemNotFound, "%s in version %q; available versions are %s", markets, s.ref.Version, strings.Join(slices.Compact(versions), ", "))
	}
	if len(s.named) > 0 {
		choice, _ := s.choose(s.named)
		return failure(hclspec.ItemNotFound, "%s with the type %s. %s", markets, s.ref.Type, choice)
	}
	if len(s.problems) > 0 {
		// If no file can be read, the first problem is probably the cause. If other
		// files can be read, this problem is probably not the cause.
		kind := hclspec.ItemNotFound
		if len(s.known) == 0 {
			kind = s.problems[0].Kind
		}
		return failure(kind, "%s, and %s could not be read; first error: %s", markets, quantity.Count(len(s.problems), "file"), s.problems[0])
	}
	return failure(hclspec.ItemNotFound, "%s%s", markets, suggestion(s.ref.Name, s.known))
}

func (s *search) wrongKind(o *Found) error {
	if s.want == Prerequisite {
		return failure(hclspec.ItemNotPrerequisite, "the item is a whole job and cannot be a prerequisite").with(message.HintRunItem, "marketplace://job/"+url.PathEscape(o.Name))
	}
	return failure(hclspec.ItemNotAJob, "the item is a prerequisite of type %s, not a job", o.Type).with(message.HintUseItem, "")
}
