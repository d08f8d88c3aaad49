// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// declaredEffect returns the effect in the field table.
func declaredEffect(p hclspec.Path) hclspec.Effect {
	if f := hclspec.JobBlock.Lookup(p); f != nil && f.Effect != "" {
		return f.Effect
	}
	return hclspec.EffectReplace
}

// effect returns the effect of a changed value on an existing job. Running tasks
// keep their host lists. Therefore, a change in the number of tasks replaces a
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
