package protocol

import (
	"go.yaml.in/yaml/v3"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// The keys of the older format. Source: microsoft/pai at v0.9.0:
// src/rest-server/src/config/jobV2.js, and the document of pull request 1456.
var (
	legacyJobKeys  = []string{"protocol_version", "name", "type", "version", "contributor", "description", "retryCount", "virtualCluster", "parameters", "tasks", "prerequisites"}
	legacyTaskKeys = []string{"role", "data", "script", "storage", "output", "dockerimage", "resource", "minFailedTaskCount", "minSucceededTaskCount", "parameters", "commandParameters", "command"}
)

// legacyRetries is the number of retries of a job that names none. Source:
// microsoft/pai at v0.9.0: src/rest-server/src/config/jobV2.js.
const legacyRetries = 1

// legacyJob converts a job of the older format. What has no equal is a
// warning at its place.
func (d *decoder) legacyJob(m *mapping, label string) *hclspec.Job {
	name := d.legacyRequired(m, "name", place{})
	if name == "" {
		name = fileLabel(d.src.name)
	}
	clean := legacyName(name)
	if clean != name {
		d.renamed(m.get("name").value, "The job", name, clean)
	}
	if label == "" {
		label = identifierLabel(clean)
	}
	job := newLegacyJob(label, nameOr(clean))
	at := place{path: job.Path}
	d.note(at, m.node)
	d.legacyHeader(m, at)
	job.Version = d.legacyText(m, "version", at)
	job.Contributor = d.legacyText(m, "contributor", at)
	job.Description = d.legacyText(m, "description", at)
	if m.has("virtualCluster") {
		job.VirtualCluster = d.legacyText(m, "virtualCluster", at)
	}
	job.JobRetryCount = d.legacyRetryCount(m, at)
	if e := m.get("parameters"); e != nil {
		here := at.attr(at.path.Attr("parameters"), "parameters")
		if values, ok := d.mapping(e.value, here); ok {
			job.Parameters = d.freeMap(values, here)
		}
	}
	d.legacyPrerequisites(job, m, at)
	d.legacyTasks(job, m, at)
	if d.errors == 0 {
		d.fields(hclspec.JobBlock, reflectValue(job), job.Path)
	}
	d.dropUnread(job)
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
		d.report(hclspec.WrongYAMLType.At(d.src.at(e.value), "type must be job in a file with tasks, and %s was found.", d.describe(e.value, at)))
	}
}

// legacyVersion checks protocol_version, which may be left out.
func (d *decoder) legacyVersion(m *mapping, at place) {
	e := m.get("protocol_version")
	if e == nil || e.value.Kind == yaml.ScalarNode && slices.Contains([]string{"v2", "2", "V2"}, e.value.Value) {
		return
	}
	d.report(hclspec.UnsupportedProtocolVersion.At(d.src.at(e.value), "protocol_version must be v2, and %s was found.", d.describe(e.value, at)))
}

// legacyRequired reads a text that must be there.
func (d *decoder) legacyRequired(m *mapping, name string, at place) string {
	if m.get(name).absent() {
		d.missing(m.node, at, name)
		return ""
	}
	return d.legacyText(m, name, at)
}

// legacyText reads a text of the older format.
func (d *decoder) legacyText(m *mapping, name string, at place) string {
	e := m.get(name)
	if e == nil {
		return ""
	}
	here := at.attr(at.path.Attr(name), name)
	d.note(here, e.value)
	if name == "version" {
		return d.version(e.value, here)
	}
	return d.text(e.value, here)
}

func (d *decoder) legacyRetryCount(m *mapping, at place) int {
	e := m.get("retryCount")
	if e == nil {
		d.report(hclspec.LegacyNoEqual.At(d.src.at(m.node), "The job has no retryCount. The older format then tried %d more time, so jobRetryCount is %d.", legacyRetries, legacyRetries))
		return legacyRetries
	}
	here := at.attr(at.path.Attr("job_retry_count"), "retryCount")
	d.note(here, e.value)
	count, ok := d.wholeNumber(e.value, here)
	if ok && count < 0 {
		d.report(hclspec.LegacyNoEqual.At(d.src.at(e.value), "retryCount is %d, which chose a special way to retry. The protocol has none: the job is not tried again after a failure, but is after a transient one.", count))
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
		element.path = d.unused(here.path.Key(legacyType(pm.text(d.src, "type"))).Key(legacyName(pm.text(d.src, "name"))))
		job.Prerequisites = append(job.Prerequisites, d.legacyPrerequisite(pm, element))
	})
}

func (d *decoder) legacyTasks(job *hclspec.Job, m *mapping, at place) {
	e := m.get("tasks")
	here := at.attr(at.path.Attr("task_role"), "tasks")
	d.sources[here.path] = d.src.at(e.key)
	items, ok := d.list(e.value, here)
	if ok && len(items) == 0 {
		d.report(hclspec.EmptyValue.At(d.src.at(e.key), "tasks must not be empty."))
	}
	for i, item := range items {
		element := here.index(i)
		if tm, ok := d.mapping(item, element); ok {
			job.TaskRoles = append(job.TaskRoles, d.legacyTask(job, tm, m.get("parameters"), element, here))
		}
	}
}
