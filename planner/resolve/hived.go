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

// placement works out where HiveD puts a job.
type placement struct {
	r     *resolver
	hived *hclspec.Hived
	job   *Job
	class string
	skus  []*hclspec.SKU // of the virtual cluster; of the cluster for oppo
	quota map[string]int // nil: not declared
}

// hived resolves extras.hivedScheduler. The number of cells of a task follows
// from the SKUs of the cluster block; without any it is the number of GPUs.
func (r *resolver) hived(job *Job) *Hived {
	h := r.job.Hived
	if h == nil {
		return nil
	}
	p := &placement{r: r, hived: h, job: job, class: orDefault(h.JobPriorityClass, "test")}
	p.findSKUs()
	out := &Hived{
		Priority: hivedPriority[p.class], GangReleaseEnable: h.GangReleaseEnable,
		LazyPreemptionEnable: h.LazyPreemptionEnable, IgnoreK8sSuggestedNodes: h.IgnoreK8sSuggestedNodes,
	}
	p.checkRoles()
	groups := p.affinityGroups()
	for i, role := range job.TaskRoles {
		wish := p.wish(role)
		p.checkWish(wish)
		out.TaskRoles = append(out.TaskRoles, &HivedTaskRole{
			Name: role.Name, SKUType: wish.SKUType, PinnedCellID: wish.PinnedCellID,
			LeafCellNumber: p.cells(role, wish), AffinityGroup: groups[i],
		})
	}
	p.checkQuota(out)
	return out
}

// findSKUs chooses the SKUs that count: those with a quota in the job's
// virtual cluster, or all for opportunistic jobs and clusters that declare no
// virtual clusters.
func (p *placement) findSKUs() {
	c := p.r.cluster
	if c == nil {
		return
	}
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
		p.r.report(hclspec.HivedUnknownVirtualCluster, p.r.job.Path.Attr("virtual_cluster"), "%s uses the virtual cluster %q, but the cluster %q declares %s.%s",
			p.r.job.Address(), p.job.VirtualCluster, c.Name, listOr(known, "none"), hclspec.Suggest(p.job.VirtualCluster, known))
	}
}

func (p *placement) checkRoles() {
	var known []string
	for _, role := range p.job.TaskRoles {
		known = append(known, role.Name)
	}
	for _, wish := range p.hived.TaskRoles {
		if !slices.ContainsFunc(known, func(role string) bool { return sameRole(wish.Name, role) }) {
			p.r.report(hclspec.HivedUnknownRole, wish.Path, "hived places the task role %q, but the job declares %s.%s",
				wish.Name, listOr(known, "none"), hclspec.Suggest(wish.Name, known))
		}
	}
}

// wish returns what hived says about a role; an empty wish when it says
// nothing.
func (p *placement) wish(role *TaskRole) *hclspec.HivedTaskRole {
	for _, wish := range p.hived.TaskRoles {
		if sameRole(wish.Name, role.Name) {
			return wish
		}
	}
	return &hclspec.HivedTaskRole{Name: role.Name, Path: p.hived.Path}
}

func (p *placement) checkWish(wish *hclspec.HivedTaskRole) {
	if wish.SKUType != "" && wish.PinnedCellID != "" {
		p.r.report(hclspec.HivedCellAndSKU, wish.Path, "The task role %q has the SKU %q and the pinned cell %q. A pinned cell has a SKU of its own; keep one of them.", wish.Name, wish.SKUType, wish.PinnedCellID)
	}
	if wish.SKUType == "" || p.r.cluster == nil || len(p.r.cluster.SKUs) == 0 || p.sku(wish.SKUType) != nil {
		return
	}
	var known []string
	for _, sku := range p.skus {
		known = append(known, sku.Name)
	}
	where := fmt.Sprintf("the virtual cluster %q", p.job.VirtualCluster)
	if p.quota == nil {
		where = fmt.Sprintf("the cluster %q", p.r.cluster.Name)
	}
	p.r.report(hclspec.HivedUnknownSKU, wish.Path.Attr("sku_type"), "The task role %q asks for the SKU %q, but %s has %s.%s",
		wish.Name, wish.SKUType, where, listOr(known, "none"), hclspec.Suggest(wish.SKUType, known))
}

func (p *placement) sku(name string) *hclspec.SKU {
	for _, sku := range p.skus {
		if sku.Name == name {
			return sku
		}
	}
	return nil
}

// cells is the number of leaf cells of one task: as many as its scarcest
// resource needs. Without a SKU the smallest of each resource counts, since
// any SKU may be chosen.
func (p *placement) cells(role *TaskRole, wish *hclspec.HivedTaskRole) int {
	if len(p.skus) == 0 {
		return max(role.GPU, 1)
	}
	unit, name := p.smallest(), "the smallest SKU"
	if sku := p.sku(wish.SKUType); sku != nil {
		unit, name = *sku, fmt.Sprintf("the SKU %q", sku.Name)
	} else if wish.SKUType != "" {
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
			p.r.report(hclspec.HivedResource, wish.Path, "The task role %q asks for %d %s, but %s has none. Choose a SKU that has them with sku_type.", role.Name, resource.want, resource.name, name)
		default:
			cells = max(cells, (resource.want+resource.offers-1)/resource.offers)
		}
	}
	return cells
}

func (p *placement) smallest() hclspec.SKU {
	least := *p.skus[0]
	for _, sku := range p.skus[1:] {
		least.GPU, least.CPU, least.Memory = min(least.GPU, sku.GPU), min(least.CPU, sku.CPU), min(least.Memory, sku.Memory)
	}
	return least
}

// affinityGroups returns the affinity group of each role. When no role names
// one, a gang is one group; when only some do, the others have none.
func (p *placement) affinityGroups() []string {
	prefix := p.job.User + "~" + p.job.Name + "/"
	groups := make([]string, len(p.job.TaskRoles))
	first := map[string]*hclspec.HivedTaskRole{}
	for i, role := range p.job.TaskRoles {
		wish := p.wish(role)
		name := wish.AffinityGroupName
		if name == "" {
			continue
		}
		groups[i] = prefix + name
		other := cmp.Or(first[name], wish)
		first[name] = other
		if other.SKUType != wish.SKUType || other.PinnedCellID != wish.PinnedCellID {
			p.r.report(hclspec.HivedAffinity, wish.Path, "The task roles %q and %q are in the affinity group %q, but their sku_type or pinned_cell_id differ.", other.Name, wish.Name, name)
		}
	}
	if len(first) == 0 && p.job.GangAllocation {
		for i := range groups {
			groups[i] = prefix + "default"
		}
	}
	return groups
}

// checkQuota compares what a gang needs at once with the quota, all in all and
// for each SKU that is asked for by name.
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
		p.r.report(hclspec.HivedQuota, p.hived.Path, "%s needs %d units at once, but the virtual cluster %q has %d.", p.job.Address, total, p.job.VirtualCluster, allowed)
		return
	}
	for _, sku := range slices.Sorted(maps.Keys(needs)) {
		if units := p.quota[sku]; units > 0 && needs[sku] > units {
			p.r.report(hclspec.HivedQuota, p.hived.Path, "%s needs %d units of the SKU %q at once, but the virtual cluster %q has %d.", p.job.Address, needs[sku], sku, p.job.VirtualCluster, units)
		}
	}
}
