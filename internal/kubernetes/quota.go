// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
)

var _ cluster.UsageReader = (*Cluster)(nil)

// usedFramework is the part of a Framework that determines its number of GPUs.
type usedFramework struct {
	Metadata framework.ObjectMeta `json:"metadata"`
	Status   *struct {
		State framework.State `json:"state"`
	} `json:"status"`
}

// OthersUse implements cluster.UsageReader with one list request for Frameworks. The
// list includes the Frameworks of OpenPAI's rest-server.
func (c *Cluster) OthersUse(ctx context.Context, workspace string, virtualClusters []string) (map[string]planner.OthersUse, error) {
	selector := fmt.Sprintf("%s in (%s),%s!=%s", contract.LabelVirtualCluster, strings.Join(virtualClusters, ","), contract.KeyWorkspace, contract.LabelValue(workspace))
	all, err := listAll[usedFramework](ctx, c, api.Frameworks, url.Values{"labelSelector": {selector}}, "", 0)
	if err != nil {
		return nil, fmt.Errorf("read the resource usage of other workspaces: %w", err)
	}
	return usage(all), nil
}

// usage returns the number of GPUs of unfinished Frameworks by virtual
// cluster.
func usage(all []usedFramework) map[string]planner.OthersUse {
	used := map[string]planner.OthersUse{}
	for _, f := range all {
		if f.Status != nil && f.Status.State == framework.StateCompleted {
			continue
		}
		vc := f.Metadata.Labels[contract.LabelVirtualCluster]
		u := used[vc]
		if n, err := strconv.Atoi(f.Metadata.Annotations[contract.AnnotationGPUs]); err == nil && n > 0 {
			u.GPUs += n
		}
		used[vc] = u
	}
	return used
}
