// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"cmp"
	"slices"

	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Sum is the usage of one kind of machine by the workspace's unfinished jobs.
// It compares the usage before and after apply. It is not a reservation: it
// includes waiting jobs as well as running jobs.
type Sum struct {
	Cluster, VirtualCluster string
	// SKU is the kind of machine for HiveD placement, or "".
	SKU           string
	Before, After Usage
	// Unknown is the number of jobs whose records contain only hashes. A Sum
	// with such jobs has an empty VirtualCluster and SKU. Before omits these
	// jobs. After includes them only if apply updates them.
	Unknown int
	// GPUSeconds is the maximum total GPU time of tasks with max_run_time, in
	// seconds. It includes one attempt of each such task in the jobs that
	// apply starts.
	GPUSeconds int64
	// RetriedGPUSeconds is the maximum GPU time, in seconds, of all attempts of
	// these tasks. It is 0 if any of these tasks has unlimited retries. By
	// default, FrameworkController does not limit retries after failures outside
	// the job.
	RetriedGPUSeconds int64
	// PriceBefore and PriceAfter are the hourly prices of the SKU units. They
	// are 0 without a declared price.
	PriceBefore, PriceAfter float64
	// Unlimited is the total number of GPUs of tasks without max_run_time. It
	// includes only the jobs that apply starts.
	Unlimited int
}

// Usage is the resource usage of tasks.
type Usage struct {
	Tasks    int `json:"tasks"`
	CPUs     int `json:"cpus"`
	MemoryMB int `json:"memory_mb"`
	GPUs     int `json:"gpus"`
}

func (u *Usage) add(role *resolve.TaskRole) {
	u.Tasks += role.Instances
	u.CPUs += role.Instances * role.CPU
	u.MemoryMB += role.Instances * role.MemoryMB
	u.GPUs += role.Instances * role.GPU
}

// kindOfMachine is the key by which summing groups resource usage.
type kindOfMachine struct{ cluster, virtualCluster, sku string }

// summing contains the sums while [AddUp] or [planning.sums] computes them.
type summing struct {
	all      map[kindOfMachine]*summed
	planning *planning
}

// summed is a [Sum] whose prices, before and after, are integers in
// millionths.
type summed struct {
	Sum
	before, after int64
	// unlimited is set if a GPU task with max_run_time has no retry limit.
	unlimited bool
}

func (s *summed) addGPUTime(role *resolve.TaskRole, manifest *render.Manifest) {
	gpus := role.Instances * role.GPU
	if role.MaxRunSeconds == 0 {
		s.Unlimited += gpus
		return
	}
	seconds := int64(gpus) * int64(role.MaxRunSeconds)
	attempts, limited := manifest.MaxAttempts(role.FrameworkName)
	s.GPUSeconds += seconds
	s.RetriedGPUSeconds += seconds * attempts
	s.unlimited = s.unlimited || seconds > 0 && !limited
}

func (s *summed) addBefore(role *resolve.TaskRole, price int64) {
	s.Before.add(role)
	s.before += price
}

func (s *summed) addAfter(role *resolve.TaskRole, price int64) {
	s.After.add(role)
	s.after += price
}

// sums returns the total resources of unfinished jobs, before and after
// apply. It includes jobs that are not targets of the plan. An offline plan
// includes only the declared jobs.
func (p *planning) sums() []Sum {
	s := summing{all: map[kindOfMachine]*summed{}, planning: p}
	changes := map[*LiveJob]*Change{}
	for _, c := range p.plan.Changes {
		if c.Job != nil && (c.Action == Create || c.Action == Replace) {
			s.start(c)
		}
		if live := p.liveOf(c); live != nil {
			changes[live] = c
		}
	}
	for cluster, snapshot := range p.o.Live {
		for _, live := range snapshot.Jobs {
			if p.owned(live) && live.Present && !live.State.Finished() && !live.unknown() {
				s.live(cluster, live, changes[live])
			}
		}
	}
	return s.sorted()
}

// sorted returns the sums, sorted by cluster, virtual cluster and SKU.
func (s summing) sorted() []Sum {
	all := make([]Sum, 0, len(s.all))
	for _, sum := range s.all {
		sum.PriceBefore, sum.PriceAfter = float64(sum.before)/millionths, float64(sum.after)/millionths
		if sum.unlimited {
			sum.RetriedGPUSeconds = 0
		}
		all = append(all, sum.Sum)
	}
	slices.SortFunc(all, func(a, b Sum) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.VirtualCluster, b.VirtualCluster), cmp.Compare(a.SKU, b.SKU))
	})
	return all
}

// liveOf returns the live job of a change, or nil if the workspace does not
// own such a job.
func (p *planning) liveOf(c *Change) *LiveJob {
	snapshot := p.o.Live[c.Cluster]
	if snapshot == nil {
		return nil
	}
	live := snapshot.Job(cmp.Or(c.Replaced, c.Framework))
	if live == nil || !p.owned(live) {
		return nil
	}
	return live
}

func (s summing) live(cluster string, live *LiveJob, c *Change) {
	if live.Applied == nil {
		s.of(cluster, "", "").Unknown++
	} else {
		s.each(cluster, live.Applied, (*summed).addBefore)
	}
	switch {
	case c == nil || c.Action == NoOp:
		if live.Applied != nil {
			s.each(cluster, live.Applied, (*summed).addAfter)
		}
	case c.Action == Update:
		s.each(cluster, c.Job, (*summed).addAfter)
	}
}

func (s summing) start(c *Change) {
	s.each(c.Job.Cluster, c.Job, func(sum *summed, role *resolve.TaskRole, price int64) {
		sum.addAfter(role, price)
		sum.addGPUTime(role, c.Manifest)
	})
}

func (s summing) each(cluster string, job *resolve.Job, add func(*summed, *resolve.TaskRole, int64)) {
	skus := map[string]string{}
	if job.Hived != nil {
		for _, role := range job.Hived.TaskRoles {
			skus[role.Name] = role.SKUType
		}
	}
	for _, role := range job.TaskRoles {
		sku := skus[role.Name]
		add(s.of(cluster, job.VirtualCluster, sku), role, pricePerHour(s.planning.cluster(cluster), sku, role))
	}
}

func (s summing) of(cluster, virtualCluster, sku string) *summed {
	key := kindOfMachine{cluster, virtualCluster, sku}
	if s.all[key] == nil {
		s.all[key] = &summed{Sum: Sum{Cluster: cluster, VirtualCluster: virtualCluster, SKU: sku}}
	}
	return s.all[key]
}
