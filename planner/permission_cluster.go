package planner

import (
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// clusterMounts returns the storages that the cluster block, which users write
// too, mounts into the tasks of a job: the one for logs, and the directory of
// the nodes for downloads.
func (p *planning) clusterMounts(job *resolve.Job) []*resolve.Mount {
	target := p.o.RenderTargets[job.Cluster]
	by := func(setting string) []string { return []string{setting + " of cluster." + job.Cluster} }
	var all []*resolve.Mount
	if s := target.LogStorage; s != nil {
		all = append(all, &resolve.Mount{Storage: s.Name, By: by("log_storage"), Declared: s})
	}
	if target.FetchCache != "" && slices.ContainsFunc(job.TaskRoles, fetches) {
		s := &hclspec.Storage{Name: "fetch_cache", HostPath: target.FetchCache}
		all = append(all, &resolve.Mount{Storage: s.Name, By: by("fetch_cache"), Declared: s})
	}
	return all
}

// fetches reports whether a task role downloads something.
func fetches(role *resolve.TaskRole) bool {
	return slices.ContainsFunc(role.Steps, func(s *resolve.Step) bool { return len(s.Fetch) > 0 })
}
