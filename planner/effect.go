// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// declaredEffect returns the effect that the field table declares for a change
// to the value at a path.
func declaredEffect(p hclspec.Path) hclspec.Effect {
	if f := hclspec.JobBlock.Lookup(p); f != nil && f.Effect != "" {
		return f.Effect
	}
	return hclspec.EffectReplace
}

// effect returns the effect on an existing job if the value at a path changes.
// Running tasks keep their host lists, so changing the number of tasks replaces a
// gang unless the job allows rescaling in place.
func effect(p hclspec.Path, wanted *resolve.Job) hclspec.Effect {
	e := declaredEffect(p)
	if isHived(p) && wanted.Cluster == resolve.LocalCluster {
		return hclspec.EffectNone // older versions recorded HiveD settings, which have no effect on the local cluster
	}
	if isInstances(p) && wanted.GangAllocation && wanted.Rescale != "in_place" {
		return hclspec.EffectReplace
	}
	return e
}

func isInstances(p hclspec.Path) bool {
	return strings.HasPrefix(string(p), "task_role[") && strings.HasSuffix(string(p), "].instances")
}

// strongest returns the strongest effect among changes, or EffectNone.
func strongest(changes []FieldChange) hclspec.Effect {
	best := hclspec.EffectNone
	for _, c := range changes {
		switch c.Effect {
		case hclspec.EffectReplace:
			return c.Effect
		case hclspec.EffectInPlace:
			best = c.Effect
		}
	}
	return best
}
