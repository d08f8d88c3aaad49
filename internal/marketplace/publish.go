// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
)

// Publication is an item file to publish to a marketplace.
type Publication struct {
	Name  string // of the file
	Text  []byte
	Items []*Item
	// Author and Visibility apply only to servers. If set, they override the values
	// in the items.
	Author, Visibility string
	// Groups are the groups that may read protected items on a server.
	Groups []string
}

// visibilityProtected is the visibility of items that only groups may read.
const visibilityProtected = "protected"

// visibility applies only to items on a server.
func (p *Publication) visibility(i *Item) string {
	return cmp.Or(p.Visibility, i.Visibility, "public")
}

// Published is the result of a publication.
type Published struct {
	// Places are the exact addresses of the written items. The list is empty if all
	// items already existed.
	Places []string
	// WorkTree is the git work tree with uncommitted changes, or "".
	WorkTree string
	// Hidden is set if the server's lists omit the items.
	Hidden bool
}

// Version returns the common version of all items in the publication.
func (p *Publication) Version() (string, error) {
	version := ""
	for n, i := range p.Items {
		switch {
		case i.Version == "":
			return "", failure(ItemVersionMissing, "%s has no version", i.label())
		case n > 0 && i.Version != version:
			return "", failure(ItemVersionMissing, "%s and %s are in the same file but have different versions", p.Items[0].label(), i.label())
		}
		version = i.Version
	}
	return version, nil
}

// Publish publishes the items to a marketplace. If the marketplace already
// contains the same version of an item, its content must be identical. An
// error lists the items that Publish has already written.
func (s *Set) Publish(ctx context.Context, m *hclspec.Marketplace, p *Publication) (*Published, error) {
	version, err := p.Version()
	if err != nil {
		return nil, err
	}
	if err := p.checkGroups(); err != nil {
		return nil, err
	}
	src, err := s.Source(m)
	if err != nil {
		return nil, err
	}
	switch src := src.(type) {
	case *directory:
		return src.publish(ctx, p, version)
	case *rest:
		return src.publish(ctx, p)
	case *repository:
		return src.publish(ctx, p, version)
	case Publisher:
		return src.Publish(ctx, p, version)
	}
	return nil, failure(hclspec.CannotPublish, "%s is not writable", m.Source)
}

func (p *Publication) checkGroups() error {
	for _, i := range p.Items {
		if v := p.visibility(i); len(p.Groups) > 0 && v != visibilityProtected {
			return failure(hclspec.CannotPublish, "cannot set groups: %s is %s, but groups require the visibility \"protected\"", i.label(), v)
		}
	}
	return nil
}

// Missing returns the items of a publication that are missing in the
// marketplace. It compares type, name and version, but not the content of
// existing versions.
func (s *Set) Missing(ctx context.Context, m *hclspec.Marketplace, p *Publication) ([]*Item, error) {
	l, err := s.publishedAs(ctx, m, p)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(p.Items), func(i *Item) bool {
		return slices.ContainsFunc(l.Items, i.isVersion)
	}), nil
}

// Conflict compares a publication with a marketplace. It returns
// [PublishedVersionDiffers] if the same version of an item has different
// content. If the marketplace is unreachable, Conflict returns nil, because
// Publish reports that error.
func (s *Set) Conflict(ctx context.Context, m *hclspec.Marketplace, p *Publication) error {
	l, unreachable := s.publishedAs(ctx, m, p)
	if unreachable == nil {
		_, err := p.Unpublished(l)
		return err
	}
	return nil
}

func (s *Set) publishedAs(ctx context.Context, m *hclspec.Marketplace, p *Publication) (*Listing, error) {
	src, err := s.Source(m)
	if err != nil {
		return nil, err
	}
	if server, ok := src.(*rest); ok {
		return server.published(ctx, p)
	}
	return s.List(ctx, m, Query{})
}

// isVersion reports whether two items have the same type, name and version.
func (i *Item) isVersion(other *Item) bool {
	return other.Type == i.Type && other.Definition() == i.Definition() && other.Version == i.Version
}

// Unpublished returns the items of the publication that are missing from a listing.
// It returns [PublishedVersionDiffers] if the same version of an item has different
// content.
func (p *Publication) Unpublished(l *Listing) ([]*Item, error) {
	var fresh []*Item
	for _, i := range p.Items {
		there := false
		for _, old := range l.Items {
			if !i.isVersion(old) {
				continue
			}
			if old.Hash() != i.Hash() {
				return nil, failure(PublishedVersionDiffers, "%s is already published at %s with the hash %s, but the hash of this item is %s; use another version", i.label(), old.Place, ShortHash(old.Hash()), ShortHash(i.Hash()))
			}
			there = true
		}
		if !there {
			fresh = append(fresh, i)
		}
	}
	return fresh, nil
}

func (d *directory) publish(ctx context.Context, p *Publication, version string) (*Published, error) {
	if err := os.MkdirAll(d.path, 0o755); err != nil {
		return nil, failed(hclspec.CannotPublish, err, "cannot create the directory %s", d.path)
	}
	l, err := d.Items(ctx, Query{})
	if err != nil {
		return nil, err
	}
	fresh, err := p.Unpublished(l)
	out := &Published{WorkTree: workTree(d.path)}
	if err != nil || len(fresh) == 0 {
		return out, err
	}
	name := fileName(p.Name, version)
	target := filepath.Join(d.path, name)
	if err := writeNew(target, p.Text); errors.Is(err, fs.ErrExist) {
		return nil, failure(hclspec.CannotPublish, "%s already exists with different content; choose a different name for the file", target)
	} else if err != nil {
		return nil, failed(hclspec.CannotPublish, err, "%s cannot be written", target)
	}
	out.Places = []string{target}
	return out, nil
}

// writeNew creates a file. It fails if the file exists. Only one of several
// concurrent writers succeeds.
func writeNew(target string, text []byte) error {
	used, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	err = errors.Join(used.Close(), atomicfile.Write(target, text, 0o644))
	if err != nil {
		_ = os.Remove(target)
	}
	return err
}

// fileName returns a file name that contains the version. The name is valid
// on every operating system.
func fileName(name, version string) string {
	base := filepath.Base(name)
	ending := base[len(stem(base)):]
	return jobName(stem(base)) + versionSuffix(version) + ending
}

func versionSuffix(version string) string {
	return "-" + strings.Trim(notInVersion.Replace(version), ".")
}

var notInVersion = strings.NewReplacer("/", "-", "\\", "-", ":", "-", " ", "-")

// workTree returns the root of the git work tree that contains dir, or "".
func workTree(dir string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// publish writes to the work tree. It does not create a commit, because only
// the user knows the author and the commit message.
func (r *repository) publish(ctx context.Context, p *Publication, version string) (*Published, error) {
	if strings.Contains(r.location.target, "://") || workTree(r.location.target) != r.location.target {
		return nil, failure(hclspec.CannotPublish, "%s has no work tree on this machine; publish to a directory in a clone, then commit and push the file", r.location.target)
	}
	return r.workTree().publish(ctx, p, version)
}

// workTree returns the item directory in the work tree of a local repository.
func (r *repository) workTree() *directory {
	return &directory{path: filepath.Join(r.location.target, filepath.FromSlash(r.location.dir)), written: r.location.target, limits: r.limits}
}

// Publisher is a source that supports publishing. Other packages implement it.
type Publisher interface {
	Source
	// Publish writes the items that [Publication.Unpublished] returns. version
	// is the common version of the items.
	Publish(ctx context.Context, p *Publication, version string) (*Published, error)
}

// FileName returns the name of the published file. The name contains the version.
// The name is a valid ConfigMap key and a valid file name on every operating
// system.
func (p *Publication) FileName(version string) string { return fileName(p.Name, version) }
