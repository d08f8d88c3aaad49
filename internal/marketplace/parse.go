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

// ParseFile reads the items of a file; its syntax follows from the ending of the
// name. With errors the list is nil. ID and Place are left to the source.
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
		if i.Text == nil { // one that is carried has its own file and siblings
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

// parseHCL reads a file on its own. Functions that read files find none: what
// an item is must not depend on the machine it is read on.
func parseHCL(name string, src []byte) ([]*Item, hcl.Diagnostics) {
	ws, diags := syntax.Decode(syntax.Input{Files: map[string][]byte{name: src}, Dir: noDirectory})
	if diags.HasErrors() {
		return nil, diags
	}
	if d := foreign(name, ws); d != nil {
		return nil, append(diags, d)
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
		items, diags = append(items, made...), append(diags, more...)
	}
	if len(items) == 0 {
		diags = append(diags, hclspec.ItemNotParseable.At(start(name), "%s declares neither a prerequisite nor a job.", name))
	}
	return items, diags
}

// noDirectory is where the file functions of an item look: nowhere.
const noDirectory = "/nonexistent/openpai"

// foreign reports blocks that mean something in a workspace only.
func foreign(name string, ws *hclspec.Workspace) *hcl.Diagnostic {
	counts := map[string]int{
		"secret": len(ws.Secrets), "storage": len(ws.Storages), "cluster": len(ws.Clusters),
		"marketplace": len(ws.Marketplaces), "protocol": len(ws.Protocols), "moved": len(ws.Moved),
	}
	for _, block := range []string{"secret", "storage", "cluster", "marketplace", "protocol", "moved"} {
		if counts[block] > 0 {
			return hclspec.ItemNotParseable.At(start(name), "%s has a %s block. A file of items holds prerequisite and job blocks, and variables with defaults.", name, block)
		}
	}
	return nil
}

func start(name string) hcl.Range {
	return hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
}

// byName writes references to the same file as YAML has them: as names.
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

// jobFile makes an item of a job, or of what a job carries; see [Carrier].
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
		Tags: stringList(meta["tags"]), Job: job, Content: content, Sources: ws.Sources,
	}
	if author := text(meta, "author"); author != "" {
		item.Author = author
	}
	return []*Item{item}, diags
}

// ExtrasKey holds in a job's extras what a marketplace wants to know.
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
