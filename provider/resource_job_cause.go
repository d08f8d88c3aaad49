// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// requireReplace marks the changed attributes as the cause of a replacement.
// If the cause is outside the resource, it marks an output.
func (p *jobPlan) requireReplace(c *planner.Change) {
	inherited := false
	for _, f := range c.Fields {
		if f.Effect != hclspec.EffectReplace {
			continue
		}
		if place, ok := p.changedPlace(f.Path); ok {
			p.replace.Append(place)
		} else {
			inherited = true
		}
	}
	if inherited {
		p.markInherited()
	}
	for _, s := range c.Secrets {
		if s.State == planner.SecretChanged {
			p.replace.Append(path.Root("secret_versions").AtMapKey(s.Name))
		}
	}
	if slices.ContainsFunc(p.replace, isMarkShown) {
		return
	}
	if output := path.Root("content_hash"); p.changes(output) {
		p.replace.Append(output)
	} else if len(p.replace) == 0 {
		p.replace.Append(path.Root("state")) // unknown until the job exists
	}
}

// changedPlace returns the attribute that sets a changed field. It returns false if
// the value is set elsewhere, such as in a job attribute that the task role
// inherits, or in a different resource.
func (p *jobPlan) changedPlace(field hclspec.Path) (path.Path, bool) {
	at := hclspec.Path(string(p.d.job.Path) + "." + string(field))
	place, ok := p.d.Places.AttributeAt(at)
	if !ok || place.Equal(path.Empty()) || isTaskRole(place) {
		return path.Empty(), false
	}
	return place, p.changes(place)
}

// isTaskRole reports whether place is a whole task role or the map of all
// task roles.
func isTaskRole(place path.Path) bool {
	return len(place.Steps()) <= 2 && rootOf(place) == "task_roles"
}

// markInherited marks the changed job attributes that affect task roles. It
// skips the attribute "secrets", because the plan compares secret values
// instead.
func (p *jobPlan) markInherited() {
	for name := range jobObject.Type().AttributeTypes {
		a, place := jobObject.Attribute(name), path.Root(name)
		if a == nil || a.Field == nil || name == "task_roles" || name == "secrets" {
			continue
		}
		if e := a.Field.Effect; (e == "" || e == hclspec.EffectReplace) && p.changes(place) {
			p.replace.Append(place)
		}
	}
}

// isMarkShown reports whether Terraform prints "forces replacement" at an attribute.
// Terraform omits this text for attributes that accept any type.
func isMarkShown(place path.Path) bool {
	typ := jobObject.Type().AttributeTypes[rootOf(place)]
	return typ == nil || !typ.Is(tftypes.DynamicPseudoType)
}

// rootOf returns the name of the first attribute in a path.
func rootOf(place path.Path) string {
	name, _ := place.Steps()[0].(path.PathStepAttributeName)
	return string(name)
}

func (p *jobPlan) changes(place path.Path) bool {
	before, _, errBefore := tftypes.WalkAttributePath(p.prior, protocolPath(place))
	after, _, errAfter := tftypes.WalkAttributePath(p.planned, protocolPath(place))
	if errBefore != nil || errAfter != nil {
		return (errBefore == nil) != (errAfter == nil)
	}
	b, okBefore := before.(tftypes.Value)
	a, okAfter := after.(tftypes.Value)
	return okBefore && okAfter && !b.Equal(a)
}
