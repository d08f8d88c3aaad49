// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes"
	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Opener opens a declared cluster; nil means the embedded local cluster. It does not
// create anything or send requests.
type Opener func(declared *hclspec.Cluster) (cluster.Cluster, error)

func (o Options) openReal(declared *hclspec.Cluster) (cluster.Cluster, error) {
	if declared != nil {
		return kubernetes.Open(declared, kubernetes.Options{Workspace: o.Workspace.Name})
	}
	c, err := local.Open(o.Directory, local.Options{})
	if err != nil {
		return nil, fmt.Errorf("open the local cluster of %s: %w", o.Directory, err)
	}
	return c, nil
}

// clusterNames returns the sorted names of all declared clusters, even without
// jobs. The names include the local cluster if its directory is known.
func (o *Operation) clusterNames() []string {
	var all []string
	if o.options.Directory != "" {
		all = append(all, resolve.LocalCluster)
	}
	for _, declared := range o.options.Workspace.Clusters {
		all = append(all, declared.Name)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Clusters returns every cluster by name. It omits the local cluster on systems that
// do not support it.
func (o *Operation) Clusters() (map[string]cluster.Cluster, error) {
	return o.open(o.clusterNames())
}

// open returns the named clusters. It omits the local cluster on systems that
// do not support this cluster.
func (o *Operation) open(names []string) (map[string]cluster.Cluster, error) {
	opened := map[string]cluster.Cluster{}
	for _, name := range names {
		c, err := o.Cluster(name)
		if errors.Is(err, local.ErrUnsupported) {
			continue
		}
		if err != nil {
			return nil, err
		}
		opened[name] = c
	}
	return opened, nil
}

// Namespace returns the namespace of the jobs, or "" if the cluster has no
// namespaces. It sends no request.
func (o *Operation) Namespace(name string) (string, error) {
	c, err := o.Cluster(name)
	if err != nil {
		return "", err
	}
	if n, ok := c.(cluster.Namespacer); ok {
		return n.Namespace()
	}
	return "", nil
}

// Workspaces returns the sorted names of workspaces with jobs on a cluster. It returns
// nil if the cluster cannot list them.
func (o *Operation) Workspaces(ctx context.Context, name string) ([]string, error) {
	c, err := o.Cluster(name)
	if err != nil {
		return nil, err
	}
	finder, ok := c.(cluster.WorkspaceFinder)
	if !ok {
		return nil, nil
	}
	return finder.Workspaces(ctx)
}

// Cluster returns the cluster with the given name. It opens each cluster
// once.
func (o *Operation) Cluster(name string) (cluster.Cluster, error) {
	o.opening.Lock()
	defer o.opening.Unlock()
	if c := o.clusters[name]; c != nil {
		return c, nil
	}
	declared := o.options.Workspace.Cluster(name)
	if declared == nil && (name != resolve.LocalCluster || o.options.Directory == "") {
		return nil, fmt.Errorf("open the cluster %s: it is not declared", name)
	}
	c, err := o.options.Open(declared)
	if err != nil {
		return nil, err
	}
	o.clusters[name] = c
	return c, nil
}
