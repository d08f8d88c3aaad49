// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Keys of the older format. Source: microsoft/pai at v0.9.0:
// src/rest-server/src/config/jobV2.js, and the document in pull request 1456.
var (
	legacyJobKeys  = []string{"protocol_version", "name", "type", "version", "contributor", "description", "retryCount", "virtualCluster", "parameters", "tasks", "prerequisites"}
	legacyTaskKeys = []string{"role", "data", "script", "storage", "output", "dockerimage", "resource", "minFailedTaskCount", "minSucceededTaskCount", "parameters", "commandParameters", "command"}
)

// legacyRetries is the default value of retryCount. Source: microsoft/pai at
// v0.9.0: src/rest-server/src/config/jobV2.js.
const legacyRetries = 1

// legacyJob converts a job of the older format. Parts without an equivalent
// cause warnings.
func (d *decoder) legacyJob(m *mapping, label string) *hclspec.Job {
	name := d.legacyRequired(m, "name", place{})
	if name == "" {
		name = fileLabel(d.src.name)
	}
	clean := legacyName(name)
	if clean != name {
		d.reportRenamed(m.get("name").value, "The job", name, clean)
	}
	if label == "" {
		label = identifierLabel(clean)
	}
	job := newLegacyJob(label, nameOr(clean))
	at := place{path: job.Path}
	d.recordSource(at, m.node)
	d.legacyHeader(m, at)
	job.Version = d.legacyText(m, "version", at)
	job.Contributor = d.legacyText(m, "contributor", at)
	job.Description = d.legacyText(m, "description", at)
	if vc := d.legacyText(m, "virtualCluster", at); vc != "" {
		job.VirtualCluster = vc
	}
	job.JobRetryCount = d.legacyRetryCount(m, at)
	if e := d.optional(m, "parameters", at); e != nil {
		here := at.attr(at.path.Attr("parameters"), "parameters")
		here.printed = true
		if values, ok := d.mapping(e.value, here); ok {
			job.Parameters = d.dynamicMap(values, here)
		}
	}
	d.legacyParameters = m.get("parameters")
	d.legacyPrerequisites(job, m, at)
	d.legacyTasks(job, m, at)
	if d.errors == 0 {
		d.fields(hclspec.JobBlock, reflectValue(job), job.Path)
	}
	d.dropUnreadReferences(job)
	return job
}

func newLegacyJob(label, name string) *hclspec.Job {
	job := &hclspec.Job{}
	hclspec.JobBlock.SetDefaults(reflectValue(job))
	job.Label, job.Name, job.Syntax = label, name, hclspec.SyntaxLegacy
	job.Path = hclspec.Path(job.Address())
	return job
}

func (d *decoder) legacyHeader(m *mapping, at place) {
	for _, e := range m.entries {
		if !slices.Contains(legacyJobKeys, e.name) {
			d.unknown(e, at, legacyJobKeys)
		}
	}
	d.legacyVersion(m, at)
	if e := m.get("type"); e != nil && d.src.value(e.value) != "job" {
		d.report(WrongYAMLType.At(d.src.at(e.value), "The key \"type\" must be \"job\" in a file with tasks, but it is %s.", d.describe(e.value, at)))
	}
}

// legacyVersion checks the optional key protocol_version.
func (d *decoder) legacyVersion(m *mapping, at place) {
	e := m.get("protocol_version")
	if e == nil || e.value.Kind == yaml.ScalarNode && slices.Contains([]string{"v2", "2", "V2"}, e.value.Value) {
		return
	}
	d.report(UnsupportedProtocolVersion.At(d.src.at(e.value), "protocol_version must be v2, but it is %s.", d.describe(e.value, at)))
}

func (d *decoder) legacyRequired(m *mapping, name string, at place) string {
	if m.get(name).absent() {
		d.missing(m.node, at, name)
		return ""
	}
	return d.legacyText(m, name, at)
}

func (d *decoder) legacyText(m *mapping, name string, at place) string {
	e := d.optional(m, name, at)
	if e == nil {
		return ""
	}
	here := at.attr(at.path.Attr(name), name)
	d.recordSource(here, e.value)
	if name == "version" {
		return d.decodeVersion(e.value, here)
	}
	return d.decodeString(e.value, here)
}

func (d *decoder) legacyRetryCount(m *mapping, at place) int {
	e := d.optional(m, "retryCount", at)
	if e == nil {
		d.report(LegacyNoEqual.At(d.src.at(m.node), "The job has no retryCount. The older format defaults to %d, so jobRetryCount is %d.", legacyRetries, legacyRetries))
		return legacyRetries
	}
	here := at.attr(at.path.Attr("job_retry_count"), "retryCount")
	d.recordSource(here, e.value)
	count, ok := d.decodeInt(e.value, here)
	if ok && count < 0 {
		d.report(LegacyNoEqual.At(d.src.at(e.value), "In the older format, retryCount %d selected a special retry policy. The protocol has no equivalent, so the job is retried only after transient failures.", count))
	}
	return max(count, 0)
}

func (d *decoder) legacyPrerequisites(job *hclspec.Job, m *mapping, at place) {
	e := m.get("prerequisites")
	if e == nil {
		d.missing(m.node, at, "prerequisites")
		return
	}
	here := at.attr(at.path.Attr("prerequisite"), "prerequisites")
	d.sources[here.path] = d.src.at(e.key)
	d.eachPrerequisite(e.value, here, func(pm *mapping, element place) {
		element.path = d.uniquePath(here.path.Key(legacyType(pm.stringValue(d.src, "type"))).Key(legacyName(pm.stringValue(d.src, "name"))))
		job.Prerequisites = append(job.Prerequisites, d.legacyPrerequisite(pm, element))
	})
}

func (d *decoder) legacyTasks(job *hclspec.Job, m *mapping, at place) {
	e := m.get("tasks")
	here := at.attr(at.path.Attr("task_role"), "tasks")
	d.sources[here.path] = d.src.at(e.key)
	items, ok := d.list(e.value, here)
	if ok && len(items) == 0 {
		d.report(EmptyValue.At(d.src.at(e.key), "tasks must not be empty."))
	}
	for i, item := range items {
		element := here.index(i)
		if tm, ok := d.mapping(item, element); ok {
			job.TaskRoles = append(job.TaskRoles, d.legacyTask(job, tm, m.get("parameters"), element, here))
		}
	}
}

var legacyCharacters = strings.NewReplacer(".", "_", "~", "_")

// legacyName replaces dots and tildes with underscores, because names in the
// protocol cannot contain them.
func legacyName(name string) string { return legacyCharacters.Replace(name) }

// legacyRole is like legacyName, but for task roles and port labels. Their
// names cannot contain a hyphen or begin with a digit.
func legacyRole(name string) string {
	name = strings.ReplaceAll(legacyCharacters.Replace(name), "-", "_")
	if name != "" && '0' <= name[0] && name[0] <= '9' {
		return "_" + name
	}
	return name
}

func (d *decoder) reportRenamed(n *yaml.Node, what, from, to string) {
	d.report(LegacyRenamed.At(d.src.at(n), "%s %q is now called %q: the protocol does not allow the old name. Environment variables and paths that contain the name also change.", what, from, to))
}

// legacyType returns the current name of a type.
func legacyType(kind string) string {
	if kind == "storage" {
		return "output"
	}
	return kind
}

// fields checks a converted struct against the field table, like
// [decoder.field] for decoded fields.
func (d *decoder) fields(b *hclspec.Block, v reflect.Value, at hclspec.Path) {
	for i := range b.Fields {
		f := &b.Fields[i]
		field, here := v.FieldByName(f.Go), at.Attr(f.Name)
		switch f.Kind {
		case hclspec.Object:
			d.fields(f.Block, field, here)
		case hclspec.Objects:
			for j := range field.Len() {
				element := field.Index(j).Elem()
				path := here.Index(j)
				if p := element.FieldByName("Path"); p.IsValid() {
					path = hclspec.Path(p.String())
				}
				d.fields(f.Block, element, path)
			}
		default:
			if !field.IsZero() || f.Required || f.Kind == hclspec.Int {
				d.report(hclspec.CheckField(f, field.Interface(), here, d.sources)...)
			}
		}
	}
}
