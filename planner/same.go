// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// decision contains the parts of a change that determine whether two plans have
// the same effect. It omits the progress of a job. It includes the kind of the
// impact only for a deletion or a replacement.
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

// SameDecision reports whether two changes have the same effect on the same
// job. [SecretsChanged] compares secret values.
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

// SameJob reports whether two changes have the same declared job.
func SameJob(a, b *Change) bool {
	return string(plainjson.MustMarshal(a.Job)) == string(plainjson.MustMarshal(b.Job))
}

// SameSummary reports whether two plans have identical sums and images. The
// plans must be for the same live jobs. Sums and images depend only on the
// workspace files and the live jobs.
func SameSummary(a, b *Plan) bool { return summaryOf(a) == summaryOf(b) }

func summaryOf(p *Plan) string {
	return string(plainjson.MustMarshal(struct {
		Sums   []Sum
		Images []UsedImage
	}{append([]Sum{}, p.Sums...), append([]UsedImage{}, p.Inputs.Images...)}))
}

// SecretsChanged compares the secrets of a job in two plans. It returns the
// names of the secrets whose values are known to differ.
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

// SecretsUnchecked reports whether the new plan could not check a secret. It
// considers only secrets that changed in the earlier plan.
func SecretsUnchecked(before, now *Change) bool {
	return slices.ContainsFunc(before.Secrets, func(was SecretChange) bool {
		return was.State == SecretChanged && slices.ContainsFunc(now.Secrets, func(s SecretChange) bool {
			return s.Name == was.Name && s.State == SecretNotChecked
		})
	})
}
