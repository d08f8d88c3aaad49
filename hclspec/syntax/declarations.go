// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"reflect"
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func (d *decoder) decodeOpenPAI() {
	for _, b := range d.blocks["openpai"] {
		d.reader(frame{}).body(hclspec.OpenPAIBlock, b, reflect.ValueOf(d.ws).Elem(), "openpai")
	}
}

// decodeDeclarations decodes top-level blocks by type, in source order within a
// type.
func (d *decoder) decodeDeclarations() {
	for _, b := range d.blocks["secret"] {
		decodeOne(d, hclspec.SecretBlock, b, &d.ws.Secrets)
	}
	for _, b := range d.blocks["marketplace"] {
		decodeOne(d, hclspec.MarketplaceBlock, b, &d.ws.Marketplaces)
	}
	for _, b := range d.blocks["cluster"] {
		decodeOne(d, hclspec.ClusterBlock, b, &d.ws.Clusters)
	}
	for _, b := range d.blocks["storage"] {
		decodeOne(d, hclspec.StorageBlock, b, &d.ws.Storages)
	}
	for _, b := range d.blocks["prerequisite"] {
		d.decodePrerequisite(b)
	}
	for _, b := range d.blocks["job"] {
		d.decodeJob(b)
	}
	for _, b := range d.blocks["protocol"] {
		decodeOne(d, hclspec.ProtocolBlock, b, &d.ws.Protocols)
	}
	for _, b := range d.blocks["policy"] {
		d.decodePolicy(b)
	}
}

// decodeOne decodes a block whose type does not support for_each.
func decodeOne[T any](d *decoder, block *hclspec.Block, b *hcl.Block, list *[]*T) {
	item := new(T)
	path := d.path(hclspec.NewAddress(block.Name, b.Labels...))
	d.reader(frame{}).body(block, b, reflect.ValueOf(item).Elem(), path)
	*list = append(*list, item)
}

func (d *decoder) decodePrerequisite(b *hcl.Block) {
	t := d.scope.prerequisites[b.Labels[0]][b.Labels[1]]
	if t == nil { // the type is unknown; decoding the labels reports it
		decodeOne(d, hclspec.PrerequisiteBlock, b, &d.ws.Prerequisites)
		return
	}
	t.value(d.scope) // evaluates for_each
	if t.loop == nil {
		decodeOne(d, hclspec.PrerequisiteBlock, b, &d.ws.Prerequisites)
		return
	}
	for _, in := range t.loop.instances {
		p := &hclspec.Prerequisite{}
		path := hclspec.Path(t.address(in.key))
		d.concerning(path, b, func() {
			d.reader(frame{each: in}).body(hclspec.PrerequisiteBlock, b, reflect.ValueOf(p).Elem(), path)
		})
		p.Name = instanceLabel(p.Name, in.key)
		d.ws.Prerequisites = append(d.ws.Prerequisites, p)
	}
}

func (d *decoder) decodeJob(b *hcl.Block) {
	own := frame{own: d.ownPrerequisites(b), secrets: d.bindSecrets(nestedBlocks(b, hclspec.SecretBlock))}
	for _, in := range d.instances(b, own).instances {
		job := &hclspec.Job{Syntax: hclspec.SyntaxHCL}
		label := b.Labels[0]
		if in != nil {
			label = instanceLabel(label, in.key)
		}
		path := d.path(hclspec.NewAddress("job", label))
		d.concerning(path, b, func() {
			d.reader(frame{each: in, own: own.own, secrets: own.secrets}).body(hclspec.JobBlock, b, reflect.ValueOf(job).Elem(), path)
			job.Label = label
			for _, s := range job.Secrets {
				s.Module = d.module
			}
			d.nameJob(job, b, in)
		})
		d.ws.Jobs = append(d.ws.Jobs, job)
	}
}

// concerning calls decode and adds path to each diagnostic that decode reports in
// block b. Diagnostics at other positions are not specific to the instance. For
// example, the first instance that uses a local evaluates it for all instances.
func (d *decoder) concerning(path hclspec.Path, b *hcl.Block, decode func()) {
	top := d.top()
	earlier := len(top.diags)
	decode()
	end := endOf(b.Body)
	for _, found := range top.diags[earlier:] {
		at := found.Subject
		if at != nil && at.Filename == b.DefRange.Filename && at.Start.Byte >= b.DefRange.Start.Byte && at.Start.Byte <= end {
			_ = hclspec.Concerning(hcl.Diagnostics{found}, path, "") // returns the same diagnostics
		}
	}
}

// endOf returns the byte offset of the end of a body.
func endOf(body hcl.Body) int {
	if native, ok := body.(*hclsyntax.Body); ok {
		return native.SrcRange.End.Byte
	}
	return body.MissingItemRange().End.Byte // position of the closing brace in JSON
}

// nameJob derives the name of an unnamed job from its label. It rejects an
// unnamed job with for_each, because each instance needs its own name.
func (d *decoder) nameJob(job *hclspec.Job, b *hcl.Block, in *instance) {
	if _, named := d.ws.Sources[job.Path.Attr("name")]; named {
		return
	}
	if in != nil {
		d.report(hclspec.MissingArgument.At(b.DefRange, "A job with for_each needs a different name for each instance, for example name = \"%s-${each.key}\".", b.Labels[0]))
		return
	}
	job.Name = d.defaultName(job.Label)
	d.ws.Sources[job.Path.Attr("name")] = labelRange(b, 0)
	d.report(hclspec.CheckField(hclspec.JobBlock.Field("name"), job.Name, job.Path.Attr("name"), d.ws.Sources)...)
}

// defaultName returns the name that a job without a name has on the cluster.
// In a module, the name begins with the names and keys of the enclosing
// modules. The prefix distinguishes the jobs of a module that the workspace
// uses several times.
func (d *decoder) defaultName(label string) string {
	parts := append(d.module.ModuleParts(), label)
	if len(parts) == 1 {
		return label
	}
	return notInName.ReplaceAllString(strings.Join(parts, "-"), "_")
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// ownPrerequisites returns the prerequisites that only the job can refer to,
// by type and name.
func (d *decoder) ownPrerequisites(b *hcl.Block) map[string]map[string]*target {
	own := map[string]map[string]*target{}
	for _, p := range nestedBlocks(b, hclspec.PrerequisiteBlock) {
		if own[p.Labels[0]] == nil {
			own[p.Labels[0]] = map[string]*target{}
		}
		own[p.Labels[0]][p.Labels[1]] = &target{kind: p.Labels[0], labels: p.Labels, block: p}
	}
	return own
}

func nestedBlocks(b *hcl.Block, kind *hclspec.Block) hcl.Blocks {
	schema := &hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: kind.Name, LabelNames: labelNames(kind)}}}
	content, _, _ := b.Body.PartialContent(schema)
	if content == nil {
		return nil
	}
	return content.Blocks
}

// labelRange returns the position of a label, or of the block if the label is
// missing.
func labelRange(b *hcl.Block, i int) hcl.Range {
	if i < len(b.LabelRanges) {
		return b.LabelRanges[i]
	}
	return b.DefRange
}
