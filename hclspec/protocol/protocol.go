// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"github.com/hashicorp/hcl/v2"
	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Kind is the detected kind of a file.
type Kind string

// The kinds of files.
const (
	KindJob      Kind = "job"      // protocol version 2
	KindFragment Kind = "fragment" // a job without protocolVersion, name and type
	KindLegacy   Kind = "legacy"   // the older format with tasks
	KindItems    Kind = "items"    // marketplace items or older components
)

// File holds the declarations of a YAML file: one job, or items.
type File struct {
	Kind Kind
	Job  *hclspec.Job
	// Items are prerequisites outside a job. Their paths are addresses, such as
	// prerequisite.script.wget.
	Items   []*hclspec.Prerequisite
	Sources hclspec.SourceMap
}

// Parse parses a YAML file of any dialect. name is the file name for messages,
// and the default name of the job. The returned file is nil if nothing could be
// decoded, and incomplete after errors.
func Parse(name string, src []byte) (*File, hcl.Diagnostics) {
	return ParseLabel("", name, src)
}

// ParseLabel is like [Parse], but the job always has the address job.<label>. Paths in
// the source map start with that address.
func ParseLabel(label, name string, src []byte) (*File, hcl.Diagnostics) {
	s := newSource(name, src)
	docs, diags := documents(s)
	if diags.HasErrors() {
		return nil, hclspec.Sort(diags)
	}
	d := &decoder{src: s, sources: hclspec.SourceMap{}, repeated: map[hclspec.Path]int{}}
	d.report(diags...)
	file := d.file(docs, label)
	if file != nil {
		file.Sources = d.sources
	}
	return file, hclspec.Sort(d.diags)
}

// file detects the kind of the documents and decodes them.
func (d *decoder) file(docs []*yaml.Node, label string) *File {
	if len(docs) == 0 {
		d.report(NotAProtocolFile.At(d.src.start(), "%s is empty. A job has taskRoles; an item is a named prerequisite, or a list of named prerequisites.", d.src.name))
		return nil
	}
	if items := itemNodes(d.src, docs); items != nil {
		return &File{Kind: KindItems, Items: d.items(items)}
	}
	if len(docs) > 1 {
		d.report(MultipleDocuments.At(d.src.at(docs[1]), "%s contains %d documents. A job file must contain only one document: split the file.", d.src.name, len(docs)))
	}
	if docs[0].Kind != yaml.MappingNode {
		d.report(NotAProtocolFile.At(d.src.at(docs[0]), "The top level of %s is a %s. A job is a mapping with taskRoles; an item is a named prerequisite, or a list of named prerequisites.", d.src.name, topName(docs[0])))
		return nil
	}
	m := newMapping(d.src, docs[0])
	switch {
	case m.has("tasks") && !m.has("taskRoles"):
		return &File{Kind: KindLegacy, Job: d.legacyJob(m, label)}
	case !m.has("taskRoles") && !m.has(header...):
		d.notAJob(m)
		return nil
	}
	job, kind := d.job(m, label)
	return &File{Kind: kind, Job: job}
}

func topName(n *yaml.Node) string {
	if name := kindName(n); name != "" {
		return name
	}
	return "string"
}
