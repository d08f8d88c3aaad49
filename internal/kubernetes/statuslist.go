// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

var _ cluster.StatusLister = (*Cluster)(nil)

// maxSelected is the maximum number of Frameworks whose Pods one request selects.
// It limits the length of the request URL, which contains the names.
const maxSelected = 100

// listedObjects is the statusSource for several jobs. For incomplete jobs,
// listedObjects also reads the Lease, and then lists the Frameworks again.
type listedObjects struct {
	*Cluster
	frameworks map[string]*framework.Framework
	pods       map[string]map[string]*pod // by Framework and name
	lease      func() (*lease, error)
	again      func() (map[string]*framework.Framework, error)
}

// ListStatuses implements cluster.StatusLister. It lists the Frameworks of the workspace
// and the Pods of all waiting jobs.
func (c *Cluster) ListStatuses(ctx context.Context, names []string) (cluster.StatusFunc, error) {
	l := &listedObjects{Cluster: c}
	var err error
	if l.frameworks, err = c.listedFrameworks(ctx); err != nil {
		return nil, err
	}
	if err := l.listPods(ctx, names); err != nil {
		return nil, err
	}
	l.lease = sync.OnceValues(func() (*lease, error) { return c.heldLease(ctx) })
	l.again = sync.OnceValues(func() (map[string]*framework.Framework, error) { return c.listedFrameworks(ctx) })
	return func(ctx context.Context, name string) (*cluster.Status, error) {
		return c.statusFrom(ctx, name, l)
	}, nil
}

// listedFrameworks returns the Frameworks of the workspace by name.
func (c *Cluster) listedFrameworks(ctx context.Context) (map[string]*framework.Framework, error) {
	all, err := listAll[*framework.Framework](ctx, c, api.Frameworks, workspaceSelector(c.options.Workspace), "", 0)
	if err != nil {
		return nil, err
	}
	byName := map[string]*framework.Framework{}
	for _, fw := range all {
		byName[fw.Metadata.Name] = fw
	}
	return byName, nil
}

// listPods reads the same Pods as podsOf, but with list requests for many
// Frameworks.
func (l *listedObjects) listPods(ctx context.Context, names []string) error {
	l.pods = map[string]map[string]*pod{}
	var waiting []string
	for _, name := range names {
		if fw := l.frameworks[name]; fw != nil && hasWaiting(fw) {
			waiting = append(waiting, name)
			l.pods[name] = map[string]*pod{}
		}
	}
	for some := range slices.Chunk(waiting, maxSelected) {
		q := url.Values{"labelSelector": {labelFramework + " in (" + strings.Join(some, ",") + ")"}, "resourceVersion": {"0"}}
		found, err := listAll[*pod](ctx, l.Cluster, api.Pods, q, "", 0)
		if err := ignoreForbidden(err); err != nil {
			return err
		}
		for _, p := range found {
			if of := l.pods[p.Metadata.Labels[labelFramework]]; of != nil {
				of[p.Metadata.Name] = p
			}
		}
	}
	return nil
}

// framework returns a listed Framework. If a finished job is not in the list,
// framework returns cluster.ErrNotFound: the record contains the outcome. If
// an unfinished job is not in the list, framework reads the object: it may
// have lost the workspace's label.
func (l *listedObjects) framework(ctx context.Context, name string) (*framework.Framework, error) {
	if fw := l.frameworks[name]; fw != nil {
		return fw, nil
	}
	r, err := l.knownRecord(ctx, name)
	if err != nil {
		return nil, err
	}
	if r != nil && r.State.Finished() {
		return nil, cluster.NotFound("Framework %s does not exist", name)
	}
	return l.Cluster.framework(ctx, name)
}

func (l *listedObjects) frameworkAgain(ctx context.Context, name string) (*framework.Framework, error) {
	now, err := l.again()
	if err != nil {
		return nil, err
	}
	if now[name] == nil {
		return l.Cluster.framework(ctx, name)
	}
	return now[name], nil
}

func (l *listedObjects) podsOf(_ context.Context, fw *framework.Framework) (map[string]*pod, error) {
	return l.pods[fw.Metadata.Name], nil
}

func (l *listedObjects) heldLease(context.Context) (*lease, error) { return l.lease() }

func (l *listedObjects) statusWithoutFramework(ctx context.Context, name string) (*cluster.Status, error) {
	if r, err := l.knownRecord(ctx, name); err == nil && r != nil && r.State.Finished() {
		return l.recordedStatus(r), nil
	}
	return l.statusFromRecord(ctx, name, l)
}
