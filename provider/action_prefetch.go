// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// prefetchImage is the default image of prefetches on Kubernetes. A fetch does
// not require a particular image.
const prefetchImage = "busybox:1.36"

var storagePrefetch = providerAction{
	name: "storage_prefetch",
	schema: schema.Schema{
		MarkdownDescription: "Fetches data into a storage before jobs use the data. The action runs the prerequisites once in a small job that mounts the storage, waits until the job ends, and removes the job. Prints the progress.",
		Attributes: map[string]schema.Attribute{
			"storage":       schema.StringAttribute{Required: true, MarkdownDescription: "The definition of an `openpai_storage`, or the name of a claim."},
			"mount_path":    schema.StringAttribute{Optional: true, MarkdownDescription: "Mount path of the storage; defaults to `/mnt/` followed by the name of the storage."},
			"prerequisites": schema.ListAttribute{Required: true, ElementType: types.StringType, MarkdownDescription: "The definitions of the prerequisites that fetch the data, in order."},
			"image":         schema.StringAttribute{Optional: true, MarkdownDescription: "Image of the job. Default: `" + prefetchImage + "`."},
		},
	},
	invoke: prefetch,
}

func prefetch(ctx context.Context, c *invocation) {
	tree := prefetchJob(c.config)
	name := tree["name"].(string)
	a := c.newApply(tree)
	if a == nil {
		return
	}
	a.d = declareJob(c.conn.settings, a.planned, tftypes.Value{})
	submitted := a.submit(ctx, createOperation)
	if !submitted && ctx.Err() == nil {
		return
	}
	var err error // submit has reported its error
	if submitted {
		c.progress("job.%s fetches", name)
		err = c.fetch(ctx, a)
	}
	if removed := warnRemains(c.conn.remove(context.WithoutCancel(ctx), a.d.resolved.Framework, operation.DeleteOptions{}), c.diags); err == nil {
		err = removed
	}
	if err != nil {
		c.fail("prefetch with", name, err)
	}
}

// fetch waits until the job ends. It returns an error if the job does not
// succeed.
func (c *invocation) fetch(ctx context.Context, a *jobApply) error {
	j, err := c.conn.job(a.d.resolved)
	if err != nil {
		return err
	}
	last, err := newJobProgress(a.d.job.Name, c.progress).wait(ctx, j, cluster.Finished)
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted; the job is removed")
	case err == nil && last.State != planner.StateSucceeded:
		return errors.New(describeEnd(a.d.job.Address(), last))
	}
	return err
}

// prefetchJob derives the job name from the fetched data, so that an interrupted
// prefetch can be resumed.
func prefetchJob(config map[string]tftypes.Value) map[string]any {
	var list []tftypes.Value
	mustAs(config["prerequisites"], &list)
	uses := make([]any, len(list))
	sum := sha256.New()
	for i, e := range list {
		uses[i] = map[string]any{"use": stringOr(e, "")}
		sum.Write([]byte(stringOr(e, "") + "\x00"))
	}
	storage := map[string]any{"use": stringOr(config["storage"], "")}
	sum.Write([]byte(stringOr(config["storage"], "")))
	if at := stringOr(config["mount_path"], ""); at != "" {
		storage["mount_path"] = at
	}
	return map[string]any{
		"name": "prefetch-" + hex.EncodeToString(sum.Sum(nil)[:4]),
		"task_roles": map[string]any{"fetch": map[string]any{
			"image": stringOr(config["image"], prefetchImage), "commands": []any{"true"},
			"prerequisites": uses, "storage": []any{storage},
			"resources": map[string]any{"gpu": numberOf(0), "cpu": numberOf(1), "memory_mb": numberOf(512)},
		}},
	}
}
