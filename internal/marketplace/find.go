// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"context"
	"net/url"
)

// Found is an item and its marketplace.
type Found struct {
	*Item
	// Market is the name of the marketplace, or "" for a URL.
	Market string
	// Address is the reference that uniquely identifies this item.
	Address string
	// Newest is set if the marketplace has no newer version.
	Newest bool
}

// Want restricts the items that a reference may resolve to.
type Want int

// Restrictions of a reference.
const (
	Any Want = iota
	Prerequisite
	Job
)

func (w Want) fits(i *Item) bool {
	return w == Any || (w == Job) == (i.Type == TypeJob)
}

// Find returns the item that a reference identifies. If the reference has no
// version, Find returns the newest version.
func (s *Set) Find(ctx context.Context, text string, want Want) (*Found, error) {
	ref, err := ParseReference(text)
	if err != nil {
		return nil, err
	}
	if ref.URL != "" {
		return s.findURL(ctx, ref, want)
	}
	markets, err := s.searched(ref)
	if err != nil {
		return nil, err
	}
	search := &search{set: s, ref: ref, want: want}
	for _, m := range markets {
		if err := search.in(ctx, m); err != nil {
			return nil, err
		}
	}
	return search.result()
}

// findURL looks up a reference with a URL. It uses the credential of a
// declared marketplace with the same URL.
func (s *Set) findURL(ctx context.Context, ref Reference, want Want) (*Found, error) {
	key := "\x00" + ref.URL
	l, ok := s.listed[key]
	if !ok {
		src, err := s.fileSource(ref.URL)
		if err != nil {
			return nil, err
		}
		if l, err = src.Items(ctx, Query{}); err != nil {
			return nil, err
		}
		s.listed[key] = l
	}
	search := &search{set: s, ref: ref, want: want}
	search.add("", l)
	if ref.Name == "" && len(search.hits) > 1 {
		return nil, failure(AmbiguousItem, "the file contains %s; select one, for example %s#%s", quoted(search.known), ref.URL, url.PathEscape(search.known[0]))
	}
	f, err := search.result()
	if err == nil {
		f.Address = Reference{URL: ref.URL, Name: f.Name}.String()
	}
	return f, err
}

func (s *Set) fileSource(target string) (Source, error) {
	for _, m := range s.declared {
		if _, written := forcedKind(m.Source); written == target {
			return s.Source(m)
		}
	}
	return &itemFile{url: target, client: newClient(target, "", s.options)}, nil
}
