// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"cmp"
	"context"
	"maps"
	"net/url"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// Jobs implements cluster.JobLister. It lists Frameworks and ConfigMaps, and
// caches the records for Status. Unlike Read, it does not list the objects that
// the jobs own. If the user may not list Secrets, Read needs one request per
// Secret.
func (c *Cluster) Jobs(ctx context.Context, workspace string) ([]*planner.LiveJob, error) {
	in := newInventory(c.options.Now())
	in.withoutDrift = true
	var live []*liveFramework
	var configMaps []recordObject
	err := api.Parallel([]func() error{
		func() (err error) { live, err = c.listFrameworks(ctx, workspace); return err },
		func() (err error) { configMaps, err = c.listConfigMaps(ctx, workspace); return err },
	})
	if err == nil {
		err = in.addObjects(workspace, live, configMaps)
	}
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	maps.Copy(c.records, in.records)
	c.mu.Unlock()
	jobs, err := in.jobs()
	slices.SortFunc(jobs, byAddress)
	return jobs, err
}

// byAddress compares jobs by address, then by Framework.
func byAddress(a, b *planner.LiveJob) int {
	return cmp.Or(cmp.Compare(a.Address, b.Address), cmp.Compare(a.Framework, b.Framework))
}

func (c *Cluster) listFrameworks(ctx context.Context, workspace string) ([]*liveFramework, error) {
	return listAll[*liveFramework](ctx, c, api.Frameworks, workspaceSelector(workspace), "", 0)
}

// listConfigMaps returns the ConfigMaps of a workspace, except the ConfigMaps
// of the history.
func (c *Cluster) listConfigMaps(ctx context.Context, workspace string) ([]recordObject, error) {
	return listAll[recordObject](ctx, c, api.ConfigMaps, withoutHistory(workspace), "", 0)
}

// jobs returns the jobs sorted by Framework.
func (in *inventory) jobs() ([]*planner.LiveJob, error) {
	var all []*planner.LiveJob
	for _, name := range in.names() {
		job, err := in.job(name)
		if err != nil {
			return nil, err
		}
		all = append(all, job)
	}
	return all, nil
}

// maxSearched is the maximum number of Frameworks that Workspaces reads.
const maxSearched = 500

// Workspaces implements cluster.WorkspaceFinder. It reads the labels of Frameworks.
// A name that is not a valid label value is therefore shortened and ends in a hash.
func (c *Cluster) Workspaces(ctx context.Context) ([]string, error) {
	query := url.Values{"labelSelector": {contract.KeyWorkspace}}
	headers, err := listHeaders(ctx, c, api.Frameworks, query, maxSearched)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, h := range headers {
		names = append(names, h.Metadata.Labels[contract.KeyWorkspace])
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
