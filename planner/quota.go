// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// QuotaUse compares a virtual cluster's quota with the requested resources.
// It does not reserve resources: the scheduler decides which jobs receive
// resources and when.
type QuotaUse struct {
	Cluster        string `json:"cluster"`
	VirtualCluster string `json:"virtual_cluster"`
	// Quota is the quota of the virtual cluster, summed over all SKUs. A resource
	// that no SKU declares has the value 0 here, and the quota does not limit it.
	Quota Quota `json:"quota"`
	// Used is the usage by the workspace jobs after apply.
	Used Usage `json:"used"`
	// Others is the usage by unfinished jobs in other workspaces, if the caller
	// read it from the cluster.
	Others OthersUse `json:"others"`

	declared *hclspec.VirtualCluster
	limited  resources
}

// Quota contains the resources of all units of a virtual cluster. A quota does
// not limit the number of tasks.
type Quota struct {
	CPUs     int `json:"cpus"`
	MemoryMB int `json:"memory_mb"`
	GPUs     int `json:"gpus"`
}

// OthersUse is the usage by jobs in other workspaces. Only their GPU usage is
// known.
type OthersUse struct {
	GPUs int `json:"gpus"`
}

// resources contains a bool for each kind of resource.
type resources struct{ gpus, cpus, memory bool }

// quotas returns only virtual clusters with a quota.
func (p *planning) quotas() []QuotaUse {
	var all []QuotaUse
	for _, c := range p.o.Clusters {
		for _, vc := range c.VirtualClusters {
			if len(vc.Quota) > 0 {
				all = append(all, p.quota(c, vc))
			}
		}
	}
	return all
}

func (p *planning) quota(c *hclspec.Cluster, vc *hclspec.VirtualCluster) QuotaUse {
	q := QuotaUse{Cluster: c.Name, VirtualCluster: vc.Name, declared: vc}
	for _, sku := range c.SKUs {
		units := vc.Quota[sku.Name]
		q.Quota.GPUs += units * sku.GPU
		q.Quota.CPUs += units * sku.CPU
		q.Quota.MemoryMB += units * sku.Memory
		q.limited.gpus = q.limited.gpus || sku.GPU > 0
		q.limited.cpus = q.limited.cpus || sku.CPU > 0
		q.limited.memory = q.limited.memory || sku.Memory > 0
	}
	for _, s := range p.plan.Sums {
		if s.Cluster == c.Name && s.VirtualCluster == vc.Name {
			q.Used = q.Used.plus(s.After)
		}
	}
	if snapshot := p.o.Live[c.Name]; snapshot != nil {
		q.Others = snapshot.Others[vc.Name]
	}
	return q
}

func (u Usage) plus(v Usage) Usage {
	return Usage{Tasks: u.Tasks + v.Tasks, CPUs: u.CPUs + v.CPUs, MemoryMB: u.MemoryMB + v.MemoryMB, GPUs: u.GPUs + v.GPUs}
}

// exceeds returns a text such as "9 GPUs (quota 8)" for each exceeded
// resource.
func (q *QuotaUse) exceeds(u Usage) []string {
	var all []string
	for _, r := range []struct {
		name        string
		limited     bool
		want, quota int
	}{
		{"GPUs", q.limited.gpus, u.GPUs, q.Quota.GPUs},
		{"CPUs", q.limited.cpus, u.CPUs, q.Quota.CPUs},
		{"MiB of memory", q.limited.memory, u.MemoryMB, q.Quota.MemoryMB},
	} {
		if r.limited && r.want > r.quota {
			all = append(all, fmt.Sprintf("%d %s (quota %d)", r.want, r.name, r.quota))
		}
	}
	return all
}

// checkQuotas reports an error if one job exceeds the quota, and a warning if
// all jobs together do.
func (p *planning) checkQuotas() {
	for i := range p.plan.Quotas {
		q := &p.plan.Quotas[i]
		starts, refused := false, false
		for _, c := range p.plan.Changes {
			if c.Job == nil || c.Action == NoOp || c.Job.Cluster != q.Cluster || c.Job.VirtualCluster != q.VirtualCluster {
				continue
			}
			starts = true
			if over := q.exceeds(atOnce(c.Job)); len(over) > 0 {
				refused = true
				p.find(QuotaExceeded.At(p.o.Sources.Range(declaredPath(c.Job).Attr("virtual_cluster")),
					"%s can never run, because it needs %s at the same time in the virtual cluster %q. Request fewer resources, or choose a different virtual cluster.", c.Address, strings.Join(over, " and "), q.VirtualCluster))
			}
		}
		total := q.Used
		total.GPUs += q.Others.GPUs
		if over := q.exceeds(total); starts && !refused && len(over) > 0 {
			p.find(QuotaQueues.At(p.o.Sources.Range(q.declared.Path),
				"The jobs of the workspace%s request %s in the virtual cluster %q of cluster %s. Some of the jobs wait until other jobs end.", alsoOthers(q), strings.Join(over, " and "), q.VirtualCluster, q.Cluster))
		}
	}
}

func alsoOthers(q *QuotaUse) string {
	if q.Others.GPUs == 0 {
		return ""
	}
	return fmt.Sprintf(", together with %d GPUs that other workspaces use,", q.Others.GPUs)
}

func declaredPath(job *resolve.Job) hclspec.Path {
	if job.Declared == nil {
		return ""
	}
	return job.Declared.Path
}

// atOnce returns the resources that a job needs at the same time. A gang
// needs the resources of all tasks. For any other job, each amount is the
// largest amount of a single task.
func atOnce(job *resolve.Job) Usage {
	var u Usage
	for _, role := range job.TaskRoles {
		if job.GangAllocation {
			u.add(role)
			continue
		}
		u = Usage{Tasks: 1, CPUs: max(u.CPUs, role.CPU), MemoryMB: max(u.MemoryMB, role.MemoryMB), GPUs: max(u.GPUs, role.GPU)}
	}
	return u
}
