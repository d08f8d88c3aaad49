// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// Find implements cluster.Finder. It reads the Framework and the record
// concurrently. If there is a record, it also reads the applied job. It does not
// check other objects that the Framework owns.
func (c *Cluster) Find(ctx context.Context, name string) (*planner.LiveJob, error) {
	var run recordObject
	return c.findWith(ctx, name, func(ctx context.Context, name string) (*stored, recordObject, error) {
		r, err := c.loadRecord(ctx, name)
		if r != nil {
			err = ignoreNotFound(c.get(ctx, api.ConfigMaps, contract.RunConfigMap(name), &run))
		}
		return r, run, err
	})
}

// findWith implements Find. The function record returns the record and the
// applied job. If the Framework exists, findWith passes the Framework to every
// function in seen.
func (c *Cluster) findWith(ctx context.Context, name string, record func(context.Context, string) (*stored, recordObject, error), seen ...func(*liveFramework) error) (*planner.LiveJob, error) {
	if _, err := c.connect(); err != nil {
		return nil, err
	}
	var live *liveFramework
	var r *stored
	var run recordObject
	err := api.Parallel([]func() error{
		func() (err error) { live, err = c.liveFramework(ctx, name); return ignoreNotFound(err) },
		func() (err error) { r, run, err = record(ctx, name); return err },
	})
	if err != nil || live == nil && r == nil {
		return nil, err
	}
	if live != nil {
		for _, see := range seen {
			if err := see(live); err != nil {
				return nil, err
			}
		}
	}
	in := newInventory(c.options.Now())
	if r != nil {
		in.records[name] = r
	}
	in.runs[contract.RunConfigMap(name)] = run
	if live == nil {
		return in.job(name)
	}
	if !isOurs(live.Metadata.ObjectMeta) {
		return foreignJob(name, live.Metadata.ObjectMeta, true), nil
	}
	in.frameworks[name] = live
	return in.job(name)
}

// isOurs reports whether this program created an object, in any workspace.
func isOurs(meta framework.ObjectMeta) bool { return meta.Annotations[contract.KeyWorkspace] != "" }

func ignoreNotFound(err error) error {
	if api.IsNotFound(err) {
		return nil
	}
	return err
}
