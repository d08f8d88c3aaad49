// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
)

// ParseFile parses the items in a file. The file extension determines the syntax. If
// there are errors, the list is nil. The caller must set ID and Place.
func ParseFile(name string, src []byte) ([]*Item, hcl.Diagnostics) {
	var items []*Item
	var diags hcl.Diagnostics
	if isHCL(name) {
		items, diags = parseHCL(name, src)
	} else {
		items, diags = parseYAML(name, src)
	}
	if diags.HasErrors() {
		return nil, diags
	}
	for _, i := range items {
		if i.Text == nil { // a carried item already has its text, file and siblings
			i.Text, i.File, i.Siblings = src, name, items
		}
	}
	return items, diags
}

func isHCL(name string) bool {
	return strings.HasSuffix(name, ".pai.hcl") || strings.HasSuffix(name, ".pai.hcl.json")
}

func parseYAML(name string, src []byte) ([]*Item, hcl.Diagnostics) {
	file, diags := protocol.Parse(name, src)
	if file == nil || diags.HasErrors() {
		return nil, diags
	}
	if file.Job != nil {
		return jobFile(file.Job, &hclspec.Workspace{Sources: file.Sources}, diags)
	}
	return prerequisites(file.Items, file.Sources), diags
}

// parseHCL parses a single file. File functions find no files, because an item
// must not depend on the local machine.
func parseHCL(name string, src []byte) ([]*Item, hcl.Diagnostics) {
	ws, diags := decodeHCL(syntax.Input{Files: map[string][]byte{name: src}})
	if diags.HasErrors() {
		return nil, diags
	}
	names := map[hclspec.Address]string{}
	for _, p := range ws.Prerequisites {
		names[p.Address()] = p.Name
	}
	items := prerequisites(ws.Prerequisites, ws.Sources)
	for _, i := range items {
		byName(i.Prerequisite, names)
		i.Content = protocol.WriteItem(i.Prerequisite)
	}
	for _, job := range ws.Jobs {
		made, more := jobFile(job, ws, nil)
		for _, i := range made {
			i.declare(name, src, ws)
		}
		items, diags = append(items, made...), append(diags, more...)
	}
	if len(items) == 0 {
		diags = append(diags, hclspec.ItemNotParseable.At(start(name), "%s must declare a prerequisite or a job.", name))
	}
	return items, diags
}

// decodeHCL decodes one file and rejects blocks that are valid only in a workspace.
func decodeHCL(in syntax.Input) (*hclspec.Workspace, hcl.Diagnostics) {
	in.Dir = noDirectory
	ws, diags := syntax.Decode(in)
	if diags.HasErrors() {
		return ws, withoutDefault(ws, diags)
	}
	for name := range in.Files {
		if d := foreign(name, ws); d != nil {
			diags = append(diags, d)
		}
	}
	return ws, diags
}

// missingValue is the error code for a variable without a value.
const missingValue = "missing-variable-value"

// withoutDefault replaces each missing-value error with an error about the missing
// default. Every variable needs a default, because no values are available when
// the item file is parsed.
func withoutDefault(ws *hclspec.Workspace, diags hcl.Diagnostics) hcl.Diagnostics {
	for i, d := range diags {
		if hclspec.Code(d) != missingValue {
			continue
		}
		for _, v := range ws.Variables {
			at := ws.Sources.Range(hclspec.Path(hclspec.NewAddress("variable", v.Name)))
			if d.Subject != nil && at.Start == d.Subject.Start {
				diags[i] = hclspec.ItemNotParseable.At(*d.Subject, "The variable %q has no default. Every variable in an item file must have a default.", v.Name)
			}
		}
	}
	return diags
}

// noDirectory is a nonexistent directory, which prevents file functions from
// reading files.
const noDirectory = "/nonexistent/openpai"

// foreign reports blocks that are valid only in a workspace.
func foreign(name string, ws *hclspec.Workspace) *hcl.Diagnostic {
	for _, v := range ws.Variables {
		if v.Sensitive {
			at := ws.Sources.Range(hclspec.Path(hclspec.NewAddress("variable", v.Name)))
			return hclspec.ItemNotParseable.At(at, "An item file must not contain the sensitive variable %q. Declare a secret in the workspace that uses the item instead.", v.Name)
		}
	}
	counts := map[string]int{
		"secret": len(ws.Secrets), "storage": len(ws.Storages), "cluster": len(ws.Clusters),
		"marketplace": len(ws.Marketplaces), "protocol": len(ws.Protocols), "moved": len(ws.Moved),
	}
	for _, block := range []string{"secret", "storage", "cluster", "marketplace", "protocol", "moved"} {
		if counts[block] > 0 {
			return hclspec.ItemNotParseable.At(start(name), "%s has a %s block. An item file may contain prerequisite blocks, job blocks and variables with defaults.", name, block)
		}
	}
	return nil
}

func start(name string) hcl.Range {
	return hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
}

// byName replaces references to items in the same file with names, as in YAML
// files.
func byName(p *hclspec.Prerequisite, names map[hclspec.Address]string) {
	p.Require = slices.Clone(p.Require)
	for i, r := range p.Require {
		if name, ok := names[hclspec.Address(r.Target)]; ok {
			p.Require[i].Target = name
		}
	}
}

func prerequisites(list []*hclspec.Prerequisite, sources hclspec.SourceMap) []*Item {
	items := make([]*Item, 0, len(list))
	for _, p := range list {
		author := p.Author
		author = cmp.Or(author, p.Contributor)
		items = append(items, &Item{
			Name: p.Name, Type: p.Type, Version: p.Version, Title: p.Title, Summary: p.Summary,
			Description: p.Description, Usage: p.Usage, Author: author, Tags: p.Tags, Visibility: p.Visibility,
			Prerequisite: p, Content: protocol.WriteItem(p), Sources: sources,
		})
	}
	return items
}

// jobFile returns the item for a job, or the items in a carrier job; see
// [Carrier].
func jobFile(job *hclspec.Job, ws *hclspec.Workspace, diags hcl.Diagnostics) ([]*Item, hcl.Diagnostics) {
	if c, ok := carried(job); ok {
		items, more := ParseFile(c.File, []byte(c.Content))
		return c.chosen(items), more
	}
	content, more := protocol.Write(job, protocol.WriteOptions{Workspace: ws})
	if more.HasErrors() {
		return nil, append(diags, more...)
	}
	meta, _ := job.Extras[ExtrasKey].(map[string]any)
	item := &Item{
		Name: job.Name, Type: TypeJob, Version: job.Version, Description: job.Description, Author: job.Contributor,
		Title: text(meta, "title"), Summary: text(meta, "summary"), Usage: text(meta, "usage"), Visibility: text(meta, "visibility"),
		Tags: stringList(meta["tags"]), Job: job, Content: content, Protocol: content, Sources: ws.Sources,
	}
	if author := text(meta, "author"); author != "" {
		item.Author = author
	}
	return []*Item{item}, diags
}

// ExtrasKey is the key of the marketplace metadata in a job's extras.
const ExtrasKey = "com.openpai.marketplace"

func text(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

func stringList(v any) []string {
	list, _ := v.([]any)
	var all []string
	for _, e := range list {
		if s, ok := e.(string); ok {
			all = append(all, s)
		}
	}
	return all
}
