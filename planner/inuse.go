// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// InUse is the total usage of the running jobs on one kind of machine.
type InUse struct {
	Cluster        string `json:"cluster"`
	VirtualCluster string `json:"virtual_cluster"`
	SKU            string `json:"sku,omitempty"`
	Usage
	PricePerHour float64 `json:"price_per_hour,omitempty" doc:"Price per hour, if the SKU has a price"`
	UnknownJobs  int     `json:"unknown_jobs,omitempty" doc:"Jobs that the numbers do not include, because only hashes of the applied jobs are known"`
}

// RunningJob is a job on a cluster; Applied is nil if unknown.
type RunningJob struct {
	Cluster string
	Applied *resolve.Job
}

// AddUp returns the total usage of the jobs, grouped by cluster, virtual
// cluster and SKU. The argument clusters contains the declared clusters,
// which define the prices.
func AddUp(jobs []RunningJob, clusters []*hclspec.Cluster) []InUse {
	s := summing{all: map[kindOfMachine]*summed{}, planning: &planning{o: Options{Clusters: clusters}}}
	for _, j := range jobs {
		if j.Applied == nil {
			s.of(j.Cluster, "", "").Unknown++
			continue
		}
		s.each(j.Cluster, j.Applied, (*summed).addBefore)
	}
	all := []InUse{}
	for _, sum := range s.sorted() {
		all = append(all, InUse{
			Cluster: sum.Cluster, VirtualCluster: sum.VirtualCluster, SKU: sum.SKU, Usage: sum.Before,
			PricePerHour: sum.PriceBefore, UnknownJobs: sum.Unknown,
		})
	}
	return all
}
