// SPDX-License-Identifier: MPL-2.0

package render

import "github.com/openpai/terraform-provider-openpai/hclspec"

// ClusterTarget returns the target of the cluster with the given name. If no
// cluster block has this name, it returns the target of the local cluster.
func ClusterTarget(ws *hclspec.Workspace, name string) Target {
	c := ws.Cluster(name)
	if c == nil {
		return Target{Local: true, Sources: ws.Sources}
	}
	t := Target{
		Profile:        c.Profile,
		Namespace:      c.Namespace,
		RuntimeImage:   c.Runtime.Image,
		PullPolicy:     c.Runtime.PullPolicy,
		ServiceAccount: c.ServiceAccount,
		FetchCache:     c.Runtime.FetchCache,
		FetchCacheMB:   c.Runtime.FetchCacheMB,
		Pod:            c.Pod,
		PodSecurity:    c.PodSecurity,
		PriorityClass:  c.PriorityClass,
		Workspace:      ws,
		Sources:        ws.Sources,
	}
	for _, s := range ws.Storages {
		if s.Name == hclspec.StorageName(c.LogStorage) {
			t.LogStorage = s
		}
	}
	return t
}
