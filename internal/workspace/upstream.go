// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"context"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// Upstream looks up every locked item and module, and reports upstream changes. It
// does not change any files. An unreachable marketplace or repository causes only
// a warning, because the locked content is still usable.
func (l *Loaded) Upstream(ctx context.Context, o marketplace.Options) hcl.Diagnostics {
	file, diags := l.Lock()
	set := l.Marketplaces(o)
	for _, e := range file.Items {
		if d := l.moved(ctx, set, e); d != nil {
			diags = append(diags, d)
		}
	}
	return hclspec.Sort(append(diags, l.movedModules(ctx, file, o)...))
}

// moved compares a locked item with its current version.
func (l *Loaded) moved(ctx context.Context, set *marketplace.Set, e *lockfile.Entry) *hcl.Diagnostic {
	found, err := set.Find(ctx, e.Address, marketplace.Any)
	switch {
	case err != nil:
		return ItemMoved.At(hcl.Range{}, "%s is locked, but looking it up failed: %s.", e.Address, l.Advised(err))
	case found.Hash() == e.Hash:
		return nil
	case found.Version != e.Version:
		return ItemMoved.At(hcl.Range{}, "%s is locked at version %q; the newest version is %q. %s", e.Address, e.Version, found.Version, l.newer(e.Address))
	}
	return ItemMoved.At(hcl.Range{}, "The content of %s at %s differs from the lock file. %s", e.Address, found.Place, l.newer(e.Address))
}

func (l *Loaded) newer(address string) message.Hint {
	return l.here(message.Hint{Kind: message.HintNewerItem, Item: address, Sentence: true})
}
