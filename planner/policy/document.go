// SPDX-License-Identifier: MPL-2.0

package policy

import (
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// document is the form of the plan that policy expressions use. It uses the
// names and values of the JSON plan, but also includes keys without a value.
type document struct {
	Workspace string             `json:"workspace"`
	Offline   bool               `json:"offline"`
	Empty     bool               `json:"empty"`
	Summary   summary            `json:"summary"`
	Changes   []*change          `json:"changes"`
	Resources []resource         `json:"resources"`
	Quotas    []planner.QuotaUse `json:"quotas"`
}

type summary struct {
	Create   int `json:"create"`
	Update   int `json:"update"`
	Replace  int `json:"replace"`
	Delete   int `json:"delete"`
	NoOp     int `json:"no_op"`
	Outdated int `json:"outdated"`
}

type change struct {
	Address    string   `json:"address"`
	Cluster    string   `json:"cluster"`
	Framework  string   `json:"framework"`
	Replaced   string   `json:"replaced"`
	MovedFrom  string   `json:"moved_from"`
	Action     string   `json:"action"`
	ReasonCode string   `json:"reason_code"`
	EndedTasks int      `json:"ended_tasks"`
	Outdated   bool     `json:"outdated"`
	State      string   `json:"state"`
	Fields     []field  `json:"fields"`
	Drift      []drift  `json:"drift"`
	Secrets    []secret `json:"secrets"`
	// Job is nil for a deleted job.
	Job *resolve.Job `json:"job"`
}

type field struct {
	Path   string `json:"path"`
	Before any    `json:"before"`
	After  any    `json:"after"`
	Effect string `json:"effect"`
	Cause  string `json:"cause"`
}

type drift struct {
	Object string `json:"object"`
	Path   string `json:"path"`
	Kind   string `json:"kind"`
}

type secret struct {
	Name  string `json:"name"`
	State string `json:"state"`
}

type resource struct {
	Cluster        string `json:"cluster"`
	VirtualCluster string `json:"virtual_cluster"`
	SKU            string `json:"sku"`
	// Before is unknown offline.
	Before        any           `json:"before"`
	After         planner.Usage `json:"after"`
	UnknownJobs   int           `json:"unknown_jobs"`
	PriceBefore   any           `json:"price_per_hour_before"`
	PriceAfter    float64       `json:"price_per_hour_after"`
	GPUSeconds    int64         `json:"gpu_seconds_per_attempt"`
	UnlimitedGPUs int           `json:"unlimited_gpus"`
}

// unknown represents a value that is unknown at plan time.
type unknown struct{}

func documentOf(p *planner.Plan) *document {
	d := &document{Workspace: p.Workspace, Offline: p.Offline, Empty: p.Empty(), Quotas: p.Quotas}
	for _, c := range p.Changes {
		d.Summary.count(c)
		d.Changes = append(d.Changes, changeOf(c))
	}
	for _, s := range p.Sums {
		r := resource{
			Cluster: s.Cluster, VirtualCluster: s.VirtualCluster, SKU: s.SKU, Before: s.Before, After: s.After, PriceBefore: s.PriceBefore, PriceAfter: s.PriceAfter,
			UnknownJobs: s.Unknown, GPUSeconds: s.GPUSeconds, UnlimitedGPUs: s.Unlimited,
		}
		if p.Offline {
			r.Before, r.PriceBefore = unknown{}, unknown{}
		}
		d.Resources = append(d.Resources, r)
	}
	return d
}

func (s *summary) count(c *planner.Change) {
	switch c.Action {
	case planner.Create:
		s.Create++
	case planner.Update:
		s.Update++
	case planner.Replace:
		s.Replace++
	case planner.Delete:
		s.Delete++
	case planner.NoOp:
		s.NoOp++
	}
	if c.Outdated {
		s.Outdated++
	}
}

func changeOf(c *planner.Change) *change {
	out := &change{
		Address: c.Address.String(), Cluster: c.Cluster, Framework: c.Framework, Replaced: c.Replaced, MovedFrom: c.MovedFrom.String(),
		Action: string(c.Action), ReasonCode: string(c.Reason.Code), EndedTasks: c.Impact.Tasks,
		Outdated: c.Outdated, State: string(c.State), Job: c.Job,
	}
	for _, f := range c.Fields {
		out.Fields = append(out.Fields, field{
			Path: string(f.Path), Before: side(f.Before, f.BeforeKnown), After: side(f.After, f.AfterKnown),
			Effect: string(f.Effect), Cause: string(f.Cause),
		})
	}
	for _, d := range c.Drift {
		out.Drift = append(out.Drift, drift{Object: d.Object, Path: d.Path, Kind: string(d.Kind)})
	}
	for _, s := range c.Secrets {
		out.Secrets = append(out.Secrets, secret{Name: s.Name, State: string(s.State)})
	}
	return out
}

func side(value any, known bool) any {
	if !known {
		return unknown{}
	}
	return value
}
