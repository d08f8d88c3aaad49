// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"cmp"
	"context"
	"net/url"
	"path"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// Locked reads a locked item again, at the recorded revision, and returns its
// content. place and hash are the values in the lock file. If the content has
// changed, the error has the kind [hclspec.LockMismatch].
func (s *Set) Locked(ctx context.Context, address, place, hash string) ([]byte, error) {
	ref, err := ParseReference(address)
	if err != nil {
		return nil, err
	}
	l, err := s.again(ctx, ref, place)
	if err != nil {
		return nil, err
	}
	found := ""
	for _, i := range l.Items {
		switch {
		case i.Hash() == hash:
			return i.Content, nil
		case i.Type == ref.Type && i.Name == ref.Name || ref.URL != "" && i.Name == ref.Name:
			found = i.Hash()
		}
	}
	if found == "" && len(l.Problems) > 0 {
		return nil, failure(l.Problems[0].Kind, "%s no longer contains the item, and %s could not be read; first error: %s", place, quantity.Count(len(l.Problems), "file"), l.Problems[0])
	}
	if found == "" {
		return nil, failure(hclspec.LockMismatch, "%s no longer contains the item", place).with(message.HintLookUpAgain, address)
	}
	return nil, failure(hclspec.LockMismatch, "the lock file contains the hash %s, but the content of %s now has the hash %s", ShortHash(hash), place, ShortHash(found)).with(message.HintAcceptItem, address)
}

// again lists the items in the source that the lock file records. place
// selects the commit in a repository or the item on a server.
func (s *Set) again(ctx context.Context, ref Reference, place string) (*Listing, error) {
	if ref.URL != "" {
		src, err := s.fileSource(ref.URL)
		if err != nil {
			return nil, err
		}
		return src.Items(ctx, Query{})
	}
	m := s.Declared(ref.From)
	if m == nil {
		return nil, failure(hclspec.ItemNotFound, "it was locked from the marketplace %q, which is not declared", ref.From)
	}
	src, err := s.Source(m)
	if err != nil {
		return nil, err
	}
	switch src := src.(type) {
	case *repository:
		at := *src
		at.commit, at.location.ref = "", cmp.Or(commitOf(place), src.location.ref)
		return at.Items(ctx, Query{})
	case *rest:
		id, _ := url.PathUnescape(path.Base(place))
		return src.Items(ctx, Query{ID: id})
	}
	return s.List(ctx, m, Query{})
}

// commitOf returns the commit ID in an [Item.Place], or "".
func commitOf(place string) string {
	_, rest, _ := strings.Cut(place, "?ref=")
	commit, _, _ := strings.Cut(rest, "#")
	if !commitID.MatchString(commit) {
		return ""
	}
	return commit
}

// Local returns the item that a directory currently contains for an address
// and version. It returns nil for other marketplaces and for missing items.
func (s *Set) Local(ctx context.Context, address, version string) (*Item, error) {
	ref, err := ParseReference(address)
	if err != nil || ref.URL != "" {
		return nil, err
	}
	m := s.Declared(ref.From)
	if m == nil || m.Kubernetes != nil {
		return nil, nil
	}
	if l, err := locate(m.Source, s.options.Dir); err != nil || l.kind != kindDirectory {
		return nil, err
	}
	l, err := s.List(ctx, m, Query{})
	if err != nil {
		return nil, err
	}
	for _, i := range l.Items {
		if i.Type == ref.Type && i.Name == ref.Name && i.Version == version {
			return i, nil
		}
	}
	return nil, nil
}
