package cli

import (
	"context"
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/registry"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// pinImages records the digests of the images of all jobs. An image whose
// registry cannot be asked is a warning: others may reach it.
func pinImages(ctx context.Context, s *Streams, f *workspaceFlags) error {
	loaded, diags := f.load()
	items, more := loaded.Items()
	diags = append(diags, more...)
	jobs, more := resolve.All(resolve.Input{Workspace: loaded.Workspace, User: currentUser(), Items: items})
	diags = append(diags, more...)
	p := &project{loaded: loaded}
	if diags.HasErrors() {
		return p.findings(hclspec.Sort(diags))
	}
	digests := map[string]string{}
	var doubts hcl.Diagnostics
	for _, image := range workspace.Images(jobs) {
		digest, err := registry.Remote{}.Digest(ctx, image)
		if err != nil {
			doubts = append(doubts, hclspec.ImageDigestUnknown.At(hcl.Range{}, "The image %s is not pinned: %s.", image, err))
			continue
		}
		digests[image] = digest
		fmt.Fprintf(s.out, "  %s %s\n", clean(image), digest)
	}
	p.show(s, doubts)
	return loaded.LockImages(digests)
}
