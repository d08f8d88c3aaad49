package operation

import (
	"fmt"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes"
	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Opener opens a declared cluster; nil means the embedded local one. It creates
// nothing and sends no request.
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

// Clusters returns every cluster by name: the declared clusters, including those
// that jobs no longer use, and the local cluster if there is a directory for it.
// Each is opened once.
func (o *Operation) Clusters() (map[string]cluster.Cluster, error) {
	o.opening.Lock()
	defer o.opening.Unlock()
	if o.clusters != nil {
		return o.clusters, nil
	}
	opened := map[string]cluster.Cluster{}
	if o.options.Directory != "" {
		c, err := o.options.Open(nil)
		if err != nil {
			return nil, err
		}
		opened[resolve.LocalCluster] = c
	}
	for _, declared := range o.options.Workspace.Clusters {
		c, err := o.options.Open(declared)
		if err != nil {
			return nil, err
		}
		opened[declared.Name] = c
	}
	o.clusters = opened
	return opened, nil
}

// Namespace returns the namespace of a cluster's jobs without a request; "" if
// the cluster has no namespaces.
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

// Cluster returns a cluster by name.
func (o *Operation) Cluster(name string) (cluster.Cluster, error) {
	clusters, err := o.Clusters()
	if err != nil {
		return nil, err
	}
	if clusters[name] == nil {
		return nil, fmt.Errorf("open the cluster %s: it is not declared", name)
	}
	return clusters[name], nil
}
