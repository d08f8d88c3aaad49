// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// The priorities of HiveD. Source: microsoft/pai:
// src/rest-server/src/middlewares/v2/hived.js.
var hivedPriority = map[string]int{"prod": 100, "test": 10, "oppo": -1}

const opportunistic = "oppo"

// placement computes the HiveD placement of a job.
type placement struct {
	*reporter
	declared *hclspec.Job
	cluster  *hclspec.Cluster
	hived    *hclspec.Hived
	job      *Job
	class    string
	skus     []*hclspec.SKU // SKUs that the job can use, see findSKUs
	quota    map[string]int // nil if not declared
}

// hived returns a placement for every job of a cluster with the HiveD scheduler,
// like OpenPAI. The SKUs of the cluster block determine the number of cells of a
// task. Without SKUs, the number of cells is the number of GPUs, but at least 1.
func (r *resolver) hived(job *Job) *Hived {
	h := r.job.Hived
	if !r.cluster.UsesHiveD() {
		if h != nil {
			r.report(HivedIgnored, h.Path, "%s", r.hivedIgnored(job))
		}
		return nil
	}
	if h == nil {
		h = &hclspec.Hived{Path: r.job.Path}
	}
	p := &placement{reporter: r.reporter, declared: r.job, cluster: r.cluster, hived: h, job: job, class: cmp.Or(h.JobPriorityClass, "test")}
	p.findSKUs()
	out := &Hived{
		JobPriorityClass: p.class, Priority: hivedPriority[p.class], GangReleaseEnable: h.GangReleaseEnable,
		LazyPreemptionEnable: h.LazyPreemptionEnable, IgnoreK8sSuggestedNodes: h.IgnoreK8sSuggestedNodes,
	}
	p.checkRoles()
	groups := p.affinityGroups()
	for i, role := range job.TaskRoles {
		want := p.settings(role)
		p.checkSettings(want)
		out.TaskRoles = append(out.TaskRoles, &HivedTaskRole{
			Name: role.Name, SKUType: want.SKUType, PinnedCellID: want.PinnedCellID,
			LeafCellNumber: p.cells(role, want), AffinityGroupName: want.AffinityGroupName, AffinityGroup: groups[i],
		})
	}
	p.checkQuota(out)
	return out
}

// hivedIgnored returns the reason why a job's HiveD settings have no effect.
func (r *resolver) hivedIgnored(job *Job) string {
	switch {
	case r.cluster != nil:
		return fmt.Sprintf("The cluster %q does not set scheduler = \"hived\", so the HiveD settings of %s have no effect. Set scheduler if HiveD places the jobs of this cluster; otherwise remove the settings.", job.Cluster, job.Address)
	case job.Cluster == LocalCluster:
		return fmt.Sprintf("The local cluster does not use HiveD, so the HiveD settings of %s have no effect.", job.Address)
	}
	return fmt.Sprintf("The cluster %q is not declared, so the HiveD settings of %s have no effect.", job.Cluster, job.Address)
}

// findSKUs selects the SKUs in the quota of the job's virtual cluster. An
// opportunistic job, or a job on a cluster without virtual clusters, can use all
// SKUs.
func (p *placement) findSKUs() {
	c := p.cluster
	p.skus = c.SKUs
	var known []string
	for _, vc := range c.VirtualClusters {
		known = append(known, vc.Name)
		if vc.Name != p.job.VirtualCluster {
			continue
		}
		if p.class == opportunistic {
			return
		}
		p.quota, p.skus = vc.Quota, nil
		for _, sku := range c.SKUs {
			if vc.Quota[sku.Name] > 0 {
				p.skus = append(p.skus, sku)
			}
		}
		return
	}
	if len(known) > 0 {
		p.report(HivedUnknownVirtualCluster, p.declared.Path.Attr("virtual_cluster"), "%s uses the virtual cluster %q, but the cluster %q declares %s.%s",
			p.declared.Address(), p.job.VirtualCluster, c.Name, hclspec.QuoteList(known, "none"), hclspec.Suggest(p.job.VirtualCluster, known))
	}
}

func (p *placement) checkRoles() {
	var known []string
	for _, role := range p.job.TaskRoles {
		known = append(known, role.Name)
	}
	for _, want := range p.hived.TaskRoles {
		if !slices.ContainsFunc(known, func(role string) bool { return sameRole(want.Name, role) }) {
			p.report(hclspec.HivedUnknownRole, want.Path, "The hived block places the task role %q, but the job declares %s.%s",
				want.Name, hclspec.QuoteList(known, "none"), hclspec.Suggest(want.Name, known))
		}
	}
}

// settings returns empty settings for a role without HiveD settings.
func (p *placement) settings(role *TaskRole) *hclspec.HivedTaskRole {
	for _, want := range p.hived.TaskRoles {
		if sameRole(want.Name, role.Name) {
			return want
		}
	}
	return &hclspec.HivedTaskRole{Name: role.Name, Path: p.hived.Path}
}

func (p *placement) checkSettings(want *hclspec.HivedTaskRole) {
	if want.SKUType != "" && want.PinnedCellID != "" {
		p.report(hclspec.HivedCellAndSKU, want.Path, "The task role %q has the SKU %q and the pinned cell %q. A pinned cell determines the SKU; remove either sku_type or pinned_cell_id.", want.Name, want.SKUType, want.PinnedCellID)
	}
	if want.SKUType == "" || len(p.cluster.SKUs) == 0 || p.sku(want.SKUType) != nil {
		return
	}
	var known []string
	for _, sku := range p.skus {
		known = append(known, sku.Name)
	}
	where := fmt.Sprintf("the virtual cluster %q", p.job.VirtualCluster)
	if p.quota == nil {
		where = fmt.Sprintf("the cluster %q", p.cluster.Name)
	}
	p.report(HivedUnknownSKU, want.Path.Attr("sku_type"), "The task role %q requests the SKU %q, but %s has %s.%s",
		want.Name, want.SKUType, where, hclspec.QuoteList(known, "none"), hclspec.Suggest(want.SKUType, known))
}

func (p *placement) sku(name string) *hclspec.SKU {
	for _, sku := range p.skus {
		if sku.Name == name {
			return sku
		}
	}
	return nil
}

// cells returns the number of leaf cells that one task needs. Without a SKU type,
// it uses the smallest amount of each resource across all SKUs, because HiveD may
// choose any SKU.
func (p *placement) cells(role *TaskRole, want *hclspec.HivedTaskRole) int {
	if len(p.skus) == 0 {
		return max(role.GPU, 1)
	}
	unit, name := p.smallest(), "the smallest SKU"
	if sku := p.sku(want.SKUType); sku != nil {
		unit, name = *sku, fmt.Sprintf("the SKU %q", sku.Name)
	} else if want.SKUType != "" {
		return max(role.GPU, 1)
	}
	cells := 0
	for _, resource := range []struct {
		name         string
		want, offers int
	}{{"GPUs", role.GPU, unit.GPU}, {"CPUs", role.CPU, unit.CPU}, {"MiB of memory", role.MemoryMB, unit.Memory}} {
		switch {
		case resource.want <= 0:
		case resource.offers <= 0:
			p.report(HivedResource, want.Path, "The task role %q requests %d %s, but %s has none. Choose a different SKU with sku_type.", role.Name, resource.want, resource.name, name)
		default:
			cells = max(cells, (resource.want+resource.offers-1)/resource.offers)
		}
	}
	return cells
}

func (p *placement) smallest() hclspec.SKU {
	minimum := *p.skus[0]
	for _, sku := range p.skus[1:] {
		minimum.GPU, minimum.CPU, minimum.Memory = min(minimum.GPU, sku.GPU), min(minimum.CPU, sku.CPU), min(minimum.Memory, sku.Memory)
	}
	return minimum
}

// affinityGroups returns a group per role, in role order. If no role sets a
// group, a gang has one group. If only some roles set a group, the other roles
// have no group.
func (p *placement) affinityGroups() []string {
	prefix := p.job.User + "~" + p.job.Name + "/"
	groups := make([]string, len(p.job.TaskRoles))
	first := map[string]*hclspec.HivedTaskRole{}
	for i, role := range p.job.TaskRoles {
		want := p.settings(role)
		name := want.AffinityGroupName
		if name == "" {
			continue
		}
		groups[i] = prefix + name
		other := cmp.Or(first[name], want)
		first[name] = other
		if other.SKUType != want.SKUType || other.PinnedCellID != want.PinnedCellID {
			p.report(HivedAffinity, want.Path, "The task roles %q and %q are in the affinity group %q, so they must have the same sku_type and pinned_cell_id.", other.Name, want.Name, name)
		}
	}
	if len(first) == 0 && p.job.GangAllocation {
		for i := range groups {
			groups[i] = prefix + "default"
		}
	}
	return groups
}

// checkQuota compares the units that a gang needs at the same time with the
// quota: in total, and for each SKU that the job requests.
func (p *placement) checkQuota(h *Hived) {
	if p.quota == nil || !p.job.GangAllocation {
		return
	}
	needs := map[string]int{}
	total, allowed := 0, 0
	for i, role := range h.TaskRoles {
		cells := role.LeafCellNumber * p.job.TaskRoles[i].Instances
		total += cells
		if role.SKUType != "" {
			needs[role.SKUType] += cells
		}
	}
	for _, units := range p.quota {
		allowed += units
	}
	if total > allowed {
		p.report(HivedQuota, p.hived.Path, "%s needs %d units at the same time, but the virtual cluster %q has %d.", p.job.Address, total, p.job.VirtualCluster, allowed)
		return
	}
	for _, sku := range slices.Sorted(maps.Keys(needs)) {
		if units := p.quota[sku]; units > 0 && needs[sku] > units {
			p.report(HivedQuota, p.hived.Path, "%s needs %d units of the SKU %q at the same time, but the virtual cluster %q has %d.", p.job.Address, needs[sku], sku, p.job.VirtualCluster, units)
		}
	}
}
