// SPDX-License-Identifier: MPL-2.0

package render

import (
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// hivedPlacement is the annotation that HiveD reads. It is written as YAML.
// JSON would also be valid YAML, but it is harder to read. Source:
// microsoft/hivedscheduler: pkg/api/types.go.
type hivedPlacement struct {
	VirtualCluster          string         `json:"virtualCluster"`
	Priority                int            `json:"priority"`
	PinnedCellID            *string        `json:"pinnedCellId"`
	LeafCellType            *string        `json:"leafCellType"`
	LeafCellNumber          int            `json:"leafCellNumber"`
	GangReleaseEnable       *bool          `json:"gangReleaseEnable,omitempty"`
	LazyPreemptionEnable    *bool          `json:"lazyPreemptionEnable,omitempty"`
	IgnoreK8sSuggestedNodes *bool          `json:"ignoreK8sSuggestedNodes,omitempty"`
	AffinityGroup           *affinityGroup `json:"affinityGroup"`
}

type affinityGroup struct {
	Name    string           `json:"name"`
	Members []affinityMember `json:"members"`
}

type affinityMember struct {
	PodNumber      int `json:"podNumber"`
	LeafCellNumber int `json:"leafCellNumber"`
}

// Placement returns the HiveD placement of a role's tasks, or nil if HiveD does
// not place them.
func Placement(job *resolve.Job, role *resolve.TaskRole) *resolve.HivedTaskRole {
	if job.Hived == nil {
		return nil
	}
	for _, p := range job.Hived.TaskRoles {
		if p.Name == role.Name {
			return p
		}
	}
	return nil
}

// hivedSpec returns the HiveD annotation, or "" if HiveD does not place the
// Pods.
func (r *renderer) hivedSpec(role *resolve.TaskRole) string {
	p := Placement(r.job, role)
	if p == nil {
		return ""
	}
	h := r.job.Hived
	spec := hivedPlacement{
		VirtualCluster:          r.job.VirtualCluster,
		Priority:                h.Priority,
		PinnedCellID:            orNull(p.PinnedCellID),
		LeafCellType:            orNull(p.SKUType),
		LeafCellNumber:          p.LeafCellNumber,
		GangReleaseEnable:       h.GangReleaseEnable,
		LazyPreemptionEnable:    h.LazyPreemptionEnable,
		IgnoreK8sSuggestedNodes: h.IgnoreK8sSuggestedNodes,
		AffinityGroup:           r.affinityGroup(p.AffinityGroup),
	}
	return string(yamlText(spec))
}

// affinityGroup returns members in role order, or nil if the name is empty.
func (r *renderer) affinityGroup(name string) *affinityGroup {
	if name == "" {
		return nil
	}
	group := &affinityGroup{Name: name}
	for _, role := range r.job.TaskRoles {
		if p := Placement(r.job, role); p != nil && p.AffinityGroup == name {
			group.Members = append(group.Members, affinityMember{role.Instances, p.LeafCellNumber})
		}
	}
	return group
}

func (r *renderer) schedulerName(role *resolve.TaskRole) string {
	if Placement(r.job, role) == nil {
		return ""
	}
	return contract.HivedSchedulerPrefix + r.job.VirtualCluster
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
