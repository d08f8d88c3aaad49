// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Withdrawn is the result of a withdrawal.
type Withdrawn struct {
	// Kept is set if the content of the items differs from the published
	// text. In this case, Withdraw does not delete the items.
	Kept bool
	// WorkTree is the git work tree with uncommitted changes, or "".
	WorkTree string
}

// Withdrawer is a [Publisher] that can delete the items that it published.
type Withdrawer interface {
	Publisher
	// Withdraw implements [Set.Withdraw]. name is the last element of the place.
	Withdraw(ctx context.Context, name, hash string) (*Withdrawn, error)
}

// Withdraw deletes the items that [Set.Publish] wrote to a place. hash is the
// [Hash] of the published text. Withdraw returns no error if the place no
// longer exists.
func (s *Set) Withdraw(ctx context.Context, m *hclspec.Marketplace, place, hash string) (*Withdrawn, error) {
	src, err := s.Source(m)
	if err != nil {
		return nil, err
	}
	name := place[strings.LastIndexAny(place, `/\`)+1:]
	switch src := src.(type) {
	case *directory:
		return src.withdraw(name, hash)
	case *rest:
		return &Withdrawn{}, src.withdraw(ctx, name)
	case *repository:
		return src.workTree().withdraw(name, hash)
	case Withdrawer:
		return src.Withdraw(ctx, name, hash)
	}
	return nil, failure(hclspec.CannotPublish, "%s is not writable", m.Source)
}

// withdraw deletes a file whose content has the given hash. It also deletes
// the directory if the directory is then empty. Publishing creates the
// directory again.
func (d *directory) withdraw(name, hash string) (*Withdrawn, error) {
	target := filepath.Join(d.path, name)
	text, err := os.ReadFile(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Withdrawn{}, nil
	case err == nil && Hash(text) != hash:
		return &Withdrawn{Kept: true}, nil
	case err == nil:
		err = os.Remove(target)
	}
	if err != nil {
		return nil, failed(hclspec.MarketplaceNotPermitted, err, "%s cannot be deleted", target)
	}
	out := &Withdrawn{WorkTree: workTree(d.path)}
	_ = os.Remove(d.path) // fails if the directory contains other files
	return out, nil
}

// withdraw first checks whether the item exists, because the server responds to
// a missing item with 404 or 500.
func (r *rest) withdraw(ctx context.Context, id string) error {
	l, err := r.byID(ctx, id)
	if err != nil || len(l.Items)+len(l.Problems) == 0 {
		return err
	}
	_, err = r.client.do(ctx, http.MethodDelete, r.base+"/items/"+id, nil, r.client.limits.FileBytes)
	if Is(err, hclspec.ItemNotFound) {
		return nil
	}
	return err
}
