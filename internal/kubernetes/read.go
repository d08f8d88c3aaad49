// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// Read implements planner.Live. It lists each kind page by page, and reads the
// key and the storage permissions. It never writes.
func (c *Cluster) Read(ctx context.Context, workspace string, wanted []string) (*planner.Snapshot, error) {
	in, err := c.readInventory(ctx, workspace)
	if err != nil {
		return nil, err
	}
	snapshot := &planner.Snapshot{SecretKey: in.key, Permissions: in.permissions}
	if in.key != nil && len(in.frameworks)+len(in.records) == 0 {
		c.markDeleted()
	}
	if snapshot.Jobs, err = in.jobs(); err != nil {
		return nil, err
	}
	foreign, err := c.foreign(ctx, in, wanted)
	if err != nil {
		return nil, err
	}
	snapshot.Jobs = append(snapshot.Jobs, foreign...)
	slices.SortStableFunc(snapshot.Jobs, byAddress)
	return snapshot, nil
}

// inventory is the state of a workspace on a cluster at one moment.
type inventory struct {
	frameworks map[string]*liveFramework
	records    map[string]*stored
	runs       map[string]recordObject // other ConfigMaps, by name
	// existing contains the names of the existing objects of each listed kind.
	existing map[string]map[string]bool
	key      []byte
	// permissions is the administrators' table of storage permissions, or nil.
	permissions *planner.StoragePermissions
	now         time.Time
	// withoutDrift skips the comparison with the applied objects.
	withoutDrift bool
}

func newInventory(now time.Time) *inventory {
	return &inventory{
		frameworks: map[string]*liveFramework{}, records: map[string]*stored{}, runs: map[string]recordObject{},
		existing: map[string]map[string]bool{}, now: now,
	}
}

// readInventory lists all kinds concurrently.
func (c *Cluster) readInventory(ctx context.Context, workspace string) (*inventory, error) {
	in := newInventory(c.options.Now())
	selector := workspaceSelector(workspace)
	var live []*liveFramework
	var maps []recordObject
	work := []func() error{
		func() (err error) { live, err = c.listFrameworks(ctx, workspace); return err },
		func() (err error) { maps, err = c.listConfigMaps(ctx, workspace); return err },
		func() (err error) { in.key, err = c.readSecretKey(ctx, workspace); return ignoreForbidden(err) },
		func() (err error) { in.permissions, err = c.storagePermissions(ctx); return err },
	}
	headers := make([][]api.Header, len(dependentKinds))
	for i, k := range dependentKinds {
		if k == api.ConfigMaps {
			continue
		}
		work = append(work, func() (err error) {
			headers[i], err = listHeaders(ctx, c, k, selector, 0)
			if err == nil && headers[i] == nil {
				headers[i] = []api.Header{} // listed, but empty
			}
			return ignoreForbidden(err)
		})
	}
	if err := api.Parallel(work); err != nil {
		return nil, err
	}
	for i, k := range dependentKinds {
		if headers[i] != nil {
			in.addHeaders(k.Kind, headers[i])
		}
	}
	if err := in.addObjects(workspace, live, maps); err != nil {
		return nil, err
	}
	if headers[slices.Index(dependentKinds, api.Secrets)] == nil {
		return in, c.findSecrets(ctx, in)
	}
	return in, nil
}

// findSecrets reads Secrets one by one if the user may not list them. The user role
// does not permit listing Secrets, because a list contains their values.
func (c *Cluster) findSecrets(ctx context.Context, in *inventory) error {
	var names []string
	for framework, r := range in.records {
		if in.frameworks[framework] == nil {
			continue
		}
		for _, o := range r.Objects {
			if o.Kind == api.Secrets.Kind {
				names = append(names, o.Name)
			}
		}
	}
	found := make([]*api.Header, len(names))
	var work []func() error
	for i, name := range names {
		work = append(work, func() (err error) { found[i], err = c.getHeader(ctx, api.Secrets, name); return err })
	}
	if err := api.Parallel(work); err != nil {
		return ignoreForbidden(err)
	}
	var headers []api.Header
	for _, h := range found {
		if h != nil {
			headers = append(headers, *h)
		}
	}
	in.addHeaders(api.Secrets.Kind, headers)
	return nil
}

// ignoreForbidden returns nil if the user may not read a list. Read does not
// compare objects of a kind that it cannot list.
func ignoreForbidden(err error) error {
	if apierrors.IsForbidden(err) {
		return nil
	}
	return err
}

func (in *inventory) addHeaders(kind string, headers []api.Header) {
	names := map[string]bool{}
	for _, h := range headers {
		names[h.Metadata.Name] = true
	}
	in.existing[kind] = names
}

// addObjects compares the annotations, because a label may contain a
// truncated workspace name.
func (in *inventory) addObjects(workspace string, live []*liveFramework, maps []recordObject) error {
	for _, l := range live {
		if l.Metadata.Annotations[contract.KeyWorkspace] == workspace {
			in.frameworks[l.Metadata.Name] = l
		}
	}
	names := map[string]bool{}
	for _, m := range maps {
		names[m.Metadata.Name] = true
		if m.Metadata.Annotations[contract.KeyWorkspace] != workspace {
			continue
		}
		if m.Metadata.Labels[contract.KeyType] != typeRecord {
			in.runs[m.Metadata.Name] = m
			continue
		}
		r, err := readRecord(m)
		if err != nil {
			return err
		}
		in.records[r.Framework] = r
	}
	in.existing[api.ConfigMaps.Kind] = names
	return nil
}

// names returns the sorted names of all Frameworks that exist or have a record.
func (in *inventory) names() []string {
	var all []string
	for name := range in.frameworks {
		all = append(all, name)
	}
	for name := range in.records {
		all = append(all, name)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
