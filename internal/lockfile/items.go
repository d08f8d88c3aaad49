// SPDX-License-Identifier: MPL-2.0

package lockfile

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/statedir"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Items provides the locked items to the resolver. It implements
// [resolve.Items].
type Items struct {
	File  *File
	Cache Cache
	// Decode decodes a cached definition. It returns a nil prerequisite for a
	// whole job.
	Decode func(name string, content []byte) (*hclspec.Prerequisite, hclspec.SourceMap, error)
	// Current returns the current hash of an entry. It returns "" if the source
	// requires network access. Current may be nil.
	Current func(*Entry) (hash string, err error)
	// Items calls Seen for every definition in use. Diagnostics can then quote
	// the definition. Seen may be nil.
	Seen func(name string, content []byte)
}

// Problem is the error for a locked item that a command cannot use.
type Problem struct {
	Kind *hclspec.Entry
	Text string
	hint message.Fact
}

func (p *Problem) Error() string { return p.Text }

// Hint implements message.Hinted.
func (p *Problem) Hint() message.Fact { return p.hint }

// Entry returns the catalog entry of the diagnostic.
func (p *Problem) Entry() *hclspec.Entry { return p.Kind }

func problem(kind *hclspec.Entry, format string, args ...any) *Problem {
	return &Problem{Kind: kind, Text: fmt.Sprintf(format, args...)}
}

func (p *Problem) with(hint message.HintKind, item string) *Problem {
	p.hint = message.Hint{Kind: hint, Item: item}
	return p
}

// Item implements [resolve.Items].
func (i *Items) Item(reference string) (*resolve.Item, error) {
	e := i.File.Item(reference)
	if e == nil {
		return nil, problem(hclspec.ItemsNotInitialized, "it is not in the lock file %s", Name).with(message.HintLookUp, "")
	}
	if err := i.unchanged(e); err != nil {
		return nil, err
	}
	content, err := i.content(e)
	if err != nil {
		return nil, err
	}
	name := e.Address
	definition, sources, err := i.Decode(name, content)
	switch {
	case err != nil:
		return nil, problem(hclspec.ItemNotParseable, "cannot decode the definition: %s", err)
	case definition == nil:
		return nil, problem(hclspec.ItemNotPrerequisite, "the item is a whole job and cannot be a prerequisite").with(message.HintRunItem, reference)
	}
	if i.Seen != nil {
		i.Seen(name, content)
	}
	return &resolve.Item{Definition: definition, Address: e.Address, Used: e.Used(), Siblings: e.Requires, Sources: sources}, nil
}

func (i *Items) content(e *Entry) ([]byte, error) {
	content, err := i.Cache.Get(e.Hash)
	switch {
	case errors.Is(err, statedir.ErrMissing):
		return nil, problem(hclspec.ItemsNotInitialized, "it is locked, but its content is not on this machine").with(message.HintFetch, "")
	case errors.Is(err, statedir.ErrChanged):
		return nil, problem(hclspec.LockMismatch, "the cached content does not match the hash %s in the lock file", e.Hash).with(message.HintFetchAgain, "")
	}
	return content, err
}

// unchanged returns an error if a locally available source has a different
// hash.
func (i *Items) unchanged(e *Entry) error {
	if i.Current == nil {
		return nil
	}
	hash, err := i.Current(e)
	switch {
	case err != nil:
		return problem(hclspec.LockMismatch, "it is locked, but %s no longer contains it (%s)", e.Source, err).with(message.HintUpdateLock, e.Address)
	case hash != "" && hash != e.Hash:
		return problem(hclspec.LockMismatch, "the lock file contains the hash %s, but the content of %s now has the hash %s", short(e.Hash), e.Source, short(hash)).with(message.HintAcceptItem, e.Address)
	}
	return nil
}

// short returns a prefix that is long enough to distinguish two hashes.
func short(hash string) string { return hash[:min(len(hash), len("h1:")+12)] }

// Used describes the entry's item for display. It does not set the name, type or
// title.
func (e *Entry) Used() resolve.UsedItem {
	item := resolve.UsedItem{Address: e.Address, Version: e.Version, Link: link(e.Source)}
	if _, query, ok := strings.Cut(e.Address, "?from="); ok && strings.HasPrefix(e.Address, "marketplace://") {
		item.Marketplace, _, _ = strings.Cut(query, "&")
	}
	return item
}

// link returns the web address of the source without credentials, or "". For a
// git source, link also omits the directory and the commit.
func link(source string) string {
	text := source
	for _, kind := range []string{"git::", "rest::", "items::"} {
		text = strings.TrimPrefix(text, kind)
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return ""
	}
	u.User = nil
	if strings.HasPrefix(source, "git::") {
		u.Path, _, _ = strings.Cut(u.Path, "//")
		u.RawPath, u.RawQuery, u.Fragment = "", "", ""
	}
	return u.String()
}
