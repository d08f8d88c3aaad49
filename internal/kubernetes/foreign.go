// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"fmt"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// maxSingleReads is the maximum number of names that holders reads with separate
// requests. If there are more names, the method lists the metadata of all
// Frameworks and records.
const maxSingleReads = 8

// ForeignError is returned when an object with the same name belongs to another
// owner. The object was not changed.
type ForeignError struct {
	Object string // kind and name
	Owner  string
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s belongs to %s and was not changed", e.Object, e.Owner)
}

// foreign returns jobs outside the workspace whose names are in wanted. A
// record reserves the name even if the Framework no longer exists.
func (c *Cluster) foreign(ctx context.Context, in *inventory, wanted []string) ([]*planner.LiveJob, error) {
	var missing []string
	for _, name := range wanted {
		if in.frameworks[name] == nil && in.records[name] == nil && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil, nil
	}
	live, records, err := c.holders(ctx, missing)
	if err != nil {
		return nil, err
	}
	var jobs []*planner.LiveJob
	for _, name := range missing {
		if meta, ok := live[name]; ok {
			jobs = append(jobs, foreignJob(name, meta, true))
		} else if meta, ok := records[name]; ok {
			jobs = append(jobs, foreignJob(name, meta, false))
		}
	}
	return jobs, nil
}

func foreignJob(name string, meta framework.ObjectMeta, present bool) *planner.LiveJob {
	job := &planner.LiveJob{Framework: name, Present: present, State: planner.StateUnknown}
	identify(job, meta)
	if job.Workspace == "" {
		job.Owner = owner(meta)
	}
	return job
}

// holders returns the metadata of the Frameworks and records with the given
// names.
func (c *Cluster) holders(ctx context.Context, names []string) (live, records map[string]framework.ObjectMeta, err error) {
	live, records = map[string]framework.ObjectMeta{}, map[string]framework.ObjectMeta{}
	if len(names) > maxSingleReads {
		return live, records, c.listHolders(ctx, live, records)
	}
	found := make([][2]*api.Header, len(names))
	var work []func() error
	for i, name := range names {
		work = append(work,
			func() (err error) { found[i][0], err = c.getHeader(ctx, api.Frameworks, name); return err },
			func() (err error) {
				found[i][1], err = c.getHeader(ctx, api.ConfigMaps, contract.RecordConfigMap(name))
				return err
			})
	}
	err = api.Parallel(work)
	for i, name := range names {
		if h := found[i][0]; h != nil {
			live[name] = h.Metadata
		}
		if h := found[i][1]; h != nil {
			records[name] = h.Metadata
		}
	}
	return live, records, err
}

func (c *Cluster) listHolders(ctx context.Context, live, records map[string]framework.ObjectMeta) error {
	all, err := listHeaders(ctx, c, api.Frameworks, nil, 0)
	if err != nil {
		return err
	}
	for _, h := range all {
		live[h.Metadata.Name] = h.Metadata
	}
	kept, err := listHeaders(ctx, c, api.ConfigMaps, typeSelector(typeRecord), 0)
	if err != nil {
		return err
	}
	for _, h := range kept {
		records[frameworkOf(h.Metadata.Name)] = h.Metadata
	}
	return nil
}

// UsedNames implements cluster.NameLister by listing the metadata of Frameworks and
// records.
func (c *Cluster) UsedNames(ctx context.Context) (map[string]bool, error) {
	live, records := map[string]framework.ObjectMeta{}, map[string]framework.ObjectMeta{}
	if err := c.listHolders(ctx, live, records); err != nil {
		return nil, err
	}
	used := make(map[string]bool, len(live)+len(records))
	for name := range live {
		used[name] = true
	}
	for name := range records {
		used[name] = true
	}
	return used, nil
}
