// SPDX-License-Identifier: MPL-2.0

package lockfile

import (
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

const header = `# Written by "openpai init" and "openpai lock". Commit it, and change it only
# with these commands.
`

// Bytes returns the text of the file. The output is deterministic.
func (f *File) Bytes() []byte {
	f.sort()
	out := hclwrite.NewEmptyFile()
	for _, e := range f.Items {
		writeItem(block(out, "item", e.Address), e)
	}
	for _, e := range f.Modules {
		writeModule(block(out, "module", e.Address), e)
	}
	for _, e := range f.Fetches {
		b := block(out, "fetch", e.URL)
		b.SetAttributeValue("sha256", cty.StringVal(e.SHA256))
		if e.Size > 0 {
			b.SetAttributeValue("size", cty.NumberIntVal(e.Size))
		}
	}
	for _, e := range f.Images {
		block(out, "image", e.Reference).SetAttributeValue("digest", cty.StringVal(e.Digest))
	}
	return append([]byte(header), hclwrite.Format(out.Bytes())...)
}

func writeItem(b *hclwrite.Body, e *Entry) {
	if len(e.References) > 0 {
		b.SetAttributeValue("references", stringList(e.References))
	}
	b.SetAttributeValue("source", cty.StringVal(e.Source))
	if e.Version != "" {
		b.SetAttributeValue("version", cty.StringVal(e.Version))
	}
	b.SetAttributeValue("hash", cty.StringVal(e.Hash))
	if len(e.Requires) > 0 {
		m := map[string]cty.Value{}
		for name, address := range e.Requires {
			m[name] = cty.StringVal(address)
		}
		b.SetAttributeValue("requires", cty.MapVal(m))
	}
}

func writeModule(b *hclwrite.Body, e *Module) {
	b.SetAttributeValue("source", cty.StringVal(e.Source))
	if e.Version != "" {
		b.SetAttributeValue("version", cty.StringVal(e.Version))
	}
	if e.Commit != "" {
		b.SetAttributeValue("commit", cty.StringVal(e.Commit))
	}
	b.SetAttributeValue("hash", cty.StringVal(e.Hash))
}

func block(f *hclwrite.File, kind, label string) *hclwrite.Body {
	f.Body().AppendNewline()
	return f.Body().AppendNewBlock(kind, []string{label}).Body()
}

func stringList(list []string) cty.Value {
	values := make([]cty.Value, len(list))
	for i, s := range list {
		values[i] = cty.StringVal(s)
	}
	return cty.ListVal(values)
}
