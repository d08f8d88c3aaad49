// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"maps"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
)

// declare adds the variables and the file itself to a job. Users who set values
// need the expressions in the file.
func (i *Item) declare(name string, src []byte, ws *hclspec.Workspace) {
	if len(ws.Variables) == 0 {
		return
	}
	i.Variables = ws.Variables
	job, meta := *i.Job, map[string]any{}
	if present, ok := job.Extras[ExtrasKey].(map[string]any); ok {
		maps.Copy(meta, present)
	}
	maps.Copy(meta, map[string]any{"item": job.Name, "type": TypeJob, "file": i.variablesFile(name), "content": string(src)})
	job.Extras = maps.Clone(job.Extras)
	if job.Extras == nil {
		job.Extras = map[string]any{}
	}
	job.Extras[ExtrasKey] = meta
	i.Content, _ = protocol.Write(&job, protocol.WriteOptions{Workspace: ws})
}

// variablesFile returns the name of the HCL file in the extras of a job. The
// name does not contain the original file name, because publishing adds the
// version to that name.
func (i *Item) variablesFile(name string) string {
	if strings.HasSuffix(name, ".json") {
		return i.Job.Name + ".pai.hcl.json"
	}
	return i.Job.Name + ".pai.hcl"
}

// WithValues returns a job with values for its variables. values is sorted by
// precedence, lowest first. name is the file name in diagnostics, and must have the
// extension of [Item.File]. WithValues calls undeclared for each value of an
// undeclared variable.
func (i *Item) WithValues(name string, values []syntax.Value, undeclared func(syntax.Value)) (*Item, hcl.Diagnostics) {
	ws, diags := decodeHCL(syntax.Input{Files: map[string][]byte{name: i.Text}, Values: values, Undeclared: undeclared})
	if diags.HasErrors() {
		return nil, diags
	}
	for _, job := range ws.Jobs {
		if job.Label != i.Job.Label {
			continue
		}
		content, more := protocol.Write(job, protocol.WriteOptions{Workspace: ws})
		changed := *i
		changed.Job, changed.Variables, changed.Protocol, changed.Sources = job, ws.Variables, content, ws.Sources
		return &changed, append(diags, more...)
	}
	return nil, append(diags, hclspec.ItemNotParseable.At(start(name), "With these values, this file does not declare job.%s.", i.Job.Label))
}
