// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"cmp"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// header lists the keys that identify a job file. A file must have all or none
// of these keys. A file with none of them is a fragment.
var header = []string{"protocolVersion", "name", "type"}

func (d *decoder) job(m *mapping, label string) (*hclspec.Job, Kind) {
	kind := KindJob
	if !m.has(header...) {
		kind = KindFragment
	}
	name := m.stringValue(d.src, "name")
	if name == "" {
		name = fileLabel(d.src.name)
	}
	if label == "" {
		label = identifierLabel(name)
	}
	job := &hclspec.Job{Label: label, Name: name, Syntax: hclspec.SyntaxProtocol}
	at := place{path: hclspec.Path(job.Address())}
	d.recordSource(at, m.node)
	d.header(m, at, kind)
	d.jobFields(job, m.without("protocolVersion", "type"), at)
	job.Name = cmp.Or(job.Name, name)
	d.dropUnreadReferences(job)
	return job, kind
}

func (d *decoder) header(m *mapping, at place, kind Kind) {
	if kind == KindFragment {
		d.report(JobFragment.At(d.src.at(m.node), "%s has none of the keys protocolVersion, name and type. openpai reads the file as the job %s. Add the three keys so that OpenPAI also accepts the file.", d.src.name, fileLabel(d.src.name)))
		return
	}
	for _, name := range header {
		if !m.has(name) {
			d.missing(m.node, at, name)
		}
	}
	d.protocolVersion(m, at)
	if e := m.get("type"); e != nil && (e.value.Kind != yaml.ScalarNode || d.src.value(e.value) != "job") {
		d.report(WrongYAMLType.At(d.src.at(e.value), "The key \"type\" must be \"job\" in a file with task roles, but it is %s.", d.describe(e.value, at)))
	}
}

// jobFields decodes the keys of a job. A key in "extras" or "defaults" is
// treated as a job key if a field exists for it. Other keys remain unchanged.
func (d *decoder) jobFields(job *hclspec.Job, m *mapping, at place) {
	flat := &mapping{node: m.node}
	var kept []entry
	for _, e := range m.entries {
		if e.name != "extras" && e.name != "defaults" {
			if strings.Contains(e.name, ".") {
				d.unknown(e, at, topLevel()) // dotted names in the field table are not job keys
				continue
			}
			flat.entries = append(flat.entries, e)
			continue
		}
		here := at.attr(at.path.Attr(e.name), e.name)
		d.sources[here.path] = d.src.at(e.key)
		if e.absent() {
			d.null(e.value, here)
			continue
		}
		if inner, ok := d.mapping(e.value, here); ok {
			kept = append(kept, d.container(job, e.name, inner, flat, here)...)
		}
	}
	d.block(hclspec.JobBlock, flat, at, reflect.ValueOf(job).Elem(), func(e entry) {
		d.unknown(e, at, topLevel())
	})
	for _, e := range kept {
		d.jobExtra(job, e, at)
	}
}

// container assigns the keys of "extras" or "defaults" to the fields of the job. A
// key without a field is stored unchanged. container renames other keys to their
// full names in the field table, such as "extras.x". For extras, container returns
// them; for defaults, it adds them to flat.
func (d *decoder) container(job *hclspec.Job, name string, inner, flat *mapping, at place) (kept []entry) {
	if name == "extras" {
		inner = d.resolveAliases(inner, at, extrasAliases)
	}
	for _, e := range inner.entries {
		full := e
		full.name = name + "." + e.name
		f := hclspec.JobBlock.ByProtocol(full.name)
		switch {
		case f == nil:
			d.storeExtraKey(hclspec.JobBlock.ExtraKeysField(name), e, at.key(e.name), reflectValue(job))
		case name == "extras":
			kept = append(kept, full)
		default:
			flat.entries = append(flat.entries, full)
		}
	}
	return kept
}

// jobExtra decodes a key of extras. OpenPAI does not check extras on
// submission. Unknown keys below extras therefore cause only warnings.
func (d *decoder) jobExtra(job *hclspec.Job, e entry, at place) {
	f := hclspec.JobBlock.ByProtocol(e.name)
	here := at.field(f)
	here.open = true
	if f.Kind == hclspec.StorageUses && e.value.Kind == yaml.SequenceNode && len(e.value.Content) == 0 {
		job.DefaultStorages = true
	}
	d.field(f, e, here, reflect.ValueOf(job).Elem().FieldByName(f.Go))
}

func topLevel() []string {
	names := []string{"protocolVersion", "name", "type"}
	for _, f := range hclspec.JobBlock.Fields {
		if f.Protocol != "" && f.Protocol != "name" && !strings.Contains(f.Protocol, ".") && f.Protocol != "extras" {
			names = append(names, f.Protocol)
		}
	}
	return append(names, "defaults", "extras")
}

var notName = regexp.MustCompile(`[^A-Za-z0-9_-]+`)

// fileLabel converts a file name to a valid job name.
func fileLabel(file string) string {
	base := filepath.Base(filepath.ToSlash(file))
	base = strings.TrimSuffix(base, filepath.Ext(base))
	return nameOr(notName.ReplaceAllString(base, "_"))
}

func nameOr(name string) string {
	if strings.Trim(name, "_-") == "" {
		return "job"
	}
	return name
}

// identifierLabel converts a job name to an identifier for the address.
func identifierLabel(name string) string {
	label := nameOr(notName.ReplaceAllString(name, "_"))
	if c := label[0]; c == '-' || '0' <= c && c <= '9' {
		return "job_" + label
	}
	return label
}
