package planner

import (
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// decision is what of a change two plans must have in common to do the same.
// How far a job has got and how many of its tasks run does not count, unless
// the change ends them.
type decision struct {
	Address, MovedFrom  hclspec.Address
	Cluster             string
	Framework, Replaced string
	Action              Action
	Reason              ReasonCode
	Impact              ImpactCode
	Fields              []FieldChange
	Drift               []Drift
	Objects             []Object
	Job                 *resolve.Job
}

// SameDecision reports whether two changes do the same to the same job. Values of
// secrets are compared by [SecretsChanged].
func SameDecision(a, b *Change) bool {
	return string(plainjson.MustMarshal(decisionOf(a))) == string(plainjson.MustMarshal(decisionOf(b)))
}

func decisionOf(c *Change) decision {
	d := decision{Address: c.Address, Cluster: c.Cluster, Framework: c.Framework, Action: c.Action, Job: c.Job}
	if c.Action == NoOp {
		return d
	}
	d.MovedFrom, d.Replaced, d.Reason = c.MovedFrom, c.Replaced, c.Reason.Code
	d.Fields, d.Drift, d.Objects = c.Fields, c.Drift, c.Objects
	if c.Action == Delete || c.Action == Replace {
		d.Impact = c.Impact.Code
	}
	return d
}

// SameJob reports whether two changes are about the same declaration.
func SameJob(a, b *Change) bool {
	return string(plainjson.MustMarshal(a.Job)) == string(plainjson.MustMarshal(b.Job))
}

// SecretsChanged lists the secrets of a job whose value is known to differ from
// that at an earlier plan.
func SecretsChanged(before, now *Change) []string {
	earlier := map[string]SecretChange{}
	for _, s := range before.Secrets {
		earlier[s.Name] = s
	}
	var changed []string
	for _, s := range now.Secrets {
		was, known := earlier[s.Name]
		switch {
		case !known || s.State == SecretNotChecked:
		case was.State == SecretNotChecked:
			if s.State == SecretChanged {
				changed = append(changed, s.Name)
			}
		case was.Version != "" && s.Version != "" && was.Version != s.Version:
			changed = append(changed, s.Name)
		}
	}
	return changed
}
