// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"context"
	"os"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/module"
)

// movedModules reports locked modules whose repositories or archives have
// changed. It fetches every archive, but fetches a repository only for a new
// commit. [Load] reports changes to modules in directories.
func (l *Loaded) movedModules(ctx context.Context, file *lockfile.File, o marketplace.Options) hcl.Diagnostics {
	if len(file.Modules) == 0 {
		return nil
	}
	dir, err := os.MkdirTemp("", "openpai-modules-")
	if err != nil {
		return hcl.Diagnostics{ItemMoved.At(hcl.Range{}, "Cannot look up the modules in the lock file: %s.", cause(err))}
	}
	defer func() { _ = os.RemoveAll(dir) }()
	o.Environ = l.environ
	fetcher := &module.Fetcher{Cache: module.NewCache(dir), Options: o}
	var diags hcl.Diagnostics
	for _, e := range file.Modules {
		if d := l.movedModule(ctx, fetcher, e); d != nil {
			diags = append(diags, d)
		}
	}
	return diags
}

func (l *Loaded) movedModule(ctx context.Context, fetcher *module.Fetcher, e *lockfile.Module) *hcl.Diagnostic {
	source, err := module.Parse(e.Source, e.Version)
	if err != nil || source.Kind == module.Directory {
		return nil // the entry is invalid, or the module is a local directory
	}
	if source.Kind == module.Git && e.Commit != "" {
		if commit, err := marketplace.Commit(ctx, source.Package, source.Revisions(), fetcher.Options); err == nil && commit == e.Commit {
			return nil // the commit determines the content
		}
	}
	found, err := fetcher.Fetch(ctx, source)
	switch {
	case err != nil:
		return ItemMoved.At(hcl.Range{}, "%s is locked, but looking it up failed: %s", e.Address, message.Sentence("%s", l.Advised(err)))
	case found.Hash == e.Hash:
		return nil
	}
	return ItemMoved.At(hcl.Range{}, "The content of %s at %s differs from the lock file. %s", e.Address, e.Source, l.newer(e.Address))
}
