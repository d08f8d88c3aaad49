// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// name decodes the name of a prerequisite. An empty name means no prerequisite,
// as in OpenPAI.
func (d *decoder) name(f *hclspec.Field, n *yaml.Node, at place, v reflect.Value) {
	target := d.decodeString(n, at)
	if target == "" && !f.Required && n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str" {
		d.null(n, at)
		return
	}
	v.Set(reflect.ValueOf(hclspec.Reference{Target: target, Path: at.path}))
}

// references decodes names, addresses and URIs. An element may also be a
// mapping with name and template_variables.
func (d *decoder) references(n *yaml.Node, at place) []hclspec.Reference {
	items, ok := d.list(n, at)
	if !ok {
		return nil
	}
	var refs []hclspec.Reference
	for i, item := range items {
		here := at.index(i)
		d.recordSource(here, item)
		if item.Kind != yaml.MappingNode {
			refs = append(refs, hclspec.Reference{Target: d.decodeString(item, here), Path: here.path})
			continue
		}
		refs = append(refs, d.reference(newMapping(d.src, item), here))
	}
	return refs
}

func (d *decoder) reference(m *mapping, at place) hclspec.Reference {
	ref := hclspec.Reference{Path: at.path}
	for _, e := range m.entries {
		switch e.name {
		case "name":
			ref.Target = d.decodeString(e.value, at.attr(at.path, "name"))
			d.sources[at.path] = d.src.at(e.value)
		case "template_variables":
			here := at.attr(at.path.Attr("with"), e.name)
			d.sources[here.path] = d.src.at(e.key)
			if e.absent() {
				d.null(e.value, here)
				continue
			}
			if values, ok := d.mapping(e.value, here); ok {
				ref.With = d.dynamicMap(values, here)
			}
		default:
			d.unknown(e, at, []string{"name", "template_variables"})
		}
	}
	if !m.has("name") {
		d.missing(m.node, at, "name")
	}
	return ref
}

func (d *decoder) storageUses(n *yaml.Node, at place) []*hclspec.StorageUse {
	items, ok := d.list(n, at)
	if !ok {
		return nil
	}
	var uses []*hclspec.StorageUse
	for i, item := range items {
		here := at.index(i)
		d.recordSource(here, item)
		if m, ok := d.mapping(item, here); ok {
			uses = append(uses, d.storageUse(m, here))
		}
	}
	return uses
}

func (d *decoder) storageUse(m *mapping, at place) *hclspec.StorageUse {
	use := &hclspec.StorageUse{Path: at.path}
	for _, e := range m.entries {
		switch e.name {
		case "name":
			here := at.attr(at.path.Attr("use"), e.name)
			d.recordSource(here, e.value)
			use.Name = d.decodeString(e.value, here)
		case "mountPath":
			here := at.attr(at.path.Attr("mount_path"), e.name)
			d.recordSource(here, e.value)
			if isNull(e.value) {
				d.null(e.value, here)
				continue
			}
			use.MountPath = d.decodeString(e.value, here)
		case "readOnly":
			here := at.attr(at.path.Attr("read_only"), e.name)
			d.recordSource(here, e.value)
			if e.absent() {
				d.null(e.value, here)
				continue
			}
			use.ReadOnly, _ = d.decodeStrictBool(e.value, here)
		default:
			d.report(IgnoredKey.At(d.src.at(e.key), "%s has no key %q.%s The key is ignored, as in OpenPAI.", at.shown, e.name, d.suggest(e.name, []string{"name", "mountPath", "readOnly"})))
		}
	}
	if !m.has("name") {
		d.missing(m.node, at, "name")
	}
	return use
}

// dropUnreadReferences removes references to prerequisites that the decoder
// could not read. Otherwise, the model checks would report a second error for
// such a prerequisite.
func (d *decoder) dropUnreadReferences(job *hclspec.Job) {
	if d.errors == 0 {
		return
	}
	all := slices.Concat(job.Prerequisites, job.ReferencePrerequisites)
	typed := map[string]bool{} // keyed by prerequisite name; true if the type is known
	for _, p := range all {
		typed[p.Name] = typed[p.Name] || slices.Contains(hclspec.PrerequisiteTypes, p.Type)
	}
	unread := func(ref hclspec.Reference) bool {
		known, declared := typed[ref.Target]
		return !known && (declared || d.hasUnnamed) && !strings.Contains(ref.Target, "://")
	}
	for _, p := range all {
		p.Require = slices.DeleteFunc(p.Require, unread)
	}
	for _, role := range job.TaskRoles {
		role.Prerequisites = slices.DeleteFunc(role.Prerequisites, unread)
		for _, ref := range []*hclspec.Reference{&role.Image, &role.Data, &role.Output, &role.Script} {
			if unread(*ref) {
				*ref = hclspec.Reference{}
			}
		}
	}
}
