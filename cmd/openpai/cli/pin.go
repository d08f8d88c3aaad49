// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/registry"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// pinning looks up images without a digest and downloads without a hash. A
// failed lookup is only a warning: a different machine may have access to the
// image or file.
type pinning struct {
	streams           *Streams
	images, downloads bool // what to look up
	doubts            hcl.Diagnostics
}

func (p *pinning) run(ctx context.Context, f *workspaceFlags) error {
	loaded, diags := f.load()
	items, more := loaded.Items()
	diags = append(diags, more...)
	jobs, more := resolve.All(resolve.Input{Workspace: loaded.Workspace, User: currentUser(), Items: items, Item: loaded.Item})
	diags = append(diags, more...)
	project := &project{loaded: loaded}
	if diags.HasErrors() {
		return project.diagnosticsError(hclspec.Sort(diags))
	}
	digests, fetches := map[string]string{}, []*lockfile.Fetch{}
	if p.images {
		digests = p.ask(workspace.Images(jobs), ImageDigestUnknown, func(image string) (string, error) {
			return registry.Remote{}.Digest(ctx, image)
		})
	}
	if p.downloads {
		p.ask(workspace.Downloads(jobs), DownloadDigestUnknown, func(url string) (string, error) {
			sum, size, err := marketplace.Digest(ctx, url, marketplace.Options{})
			if err == nil {
				fetches = append(fetches, &lockfile.Fetch{URL: url, SHA256: sum, Size: size})
			}
			return sum, err
		})
	}
	if err := ctx.Err(); err != nil {
		return err // a canceled lookup is not a warning
	}
	project.show(p.streams, p.doubts)
	p.document(digests, fetches)
	return loaded.LockDigests(digests, fetches)
}

// document adds digests to the --json output.
func (p *pinning) document(digests map[string]string, fetches []*lockfile.Fetch) {
	if p.streams.json == nil {
		return
	}
	d, ok := p.streams.json.document.(*document.LockChanges)
	if !ok {
		return
	}
	for _, image := range slices.Sorted(maps.Keys(digests)) {
		d.Images = append(d.Images, document.LockedImage{Reference: image, Digest: digests[image]})
	}
	for _, f := range fetches {
		d.Downloads = append(d.Downloads, document.LockedDownload{URL: f.URL, SHA256: f.SHA256, Size: f.Size})
	}
}

func (p *pinning) ask(names []string, doubt *hclspec.Entry, digest func(string) (string, error)) map[string]string {
	found := map[string]string{}
	for _, name := range names {
		d, err := digest(name)
		if err != nil {
			p.doubts = append(p.doubts, doubt.At(hcl.Range{}, "%s is not pinned: %s.", name, err))
			continue
		}
		found[name] = d
		p.streams.note("  %s %s", output.Clean(name), d)
	}
	return found
}
