// SPDX-License-Identifier: MPL-2.0

package lockfile

import (
	"math/big"
	"regexp"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// maxBytes is the maximum size of a lock file or a cached item. It is sufficient
// for a lock file with about ten thousand entries.
const maxBytes = 8 << 20

var (
	contentHash = regexp.MustCompile(`^h1:[0-9a-f]{64}$`)
	sha256Text  = regexp.MustCompile(`^[0-9a-f]{64}$`)
	commitText  = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})?$`)
	imageDigest = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
)

// Parse parses a lock file. Diagnostics show name. Unknown content is an error,
// because a partial lock file would not lock everything.
func Parse(name string, src []byte) (*File, hcl.Diagnostics) {
	p := &parser{file: &File{}, seen: map[string]hcl.Range{}}
	if len(src) > maxBytes {
		at := hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
		return p.file, hcl.Diagnostics{InvalidLockFile.At(at, "%s is larger than %s.", name, quantity.Bytes(maxBytes))}
	}
	body, diags := syntax.ParseNative(name, src)
	if diags.HasErrors() {
		d := firstError(diags)
		at := hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos}
		if d.Subject != nil {
			at = *d.Subject
		}
		return p.file, hcl.Diagnostics{InvalidLockFile.At(at, "%s: %s", d.Summary, d.Detail)}
	}
	p.body(body)
	p.file.sort()
	return p.file, hclspec.Sort(p.diags)
}

func firstError(diags hcl.Diagnostics) *hcl.Diagnostic {
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			return d
		}
	}
	return nil
}

type parser struct {
	file  *File
	seen  map[string]hcl.Range
	diags hcl.Diagnostics
}

func (p *parser) report(at hcl.Range, format string, args ...any) {
	p.diags = append(p.diags, InvalidLockFile.At(at, format, args...))
}

func (p *parser) body(b *hclsyntax.Body) {
	for name, a := range b.Attributes {
		p.report(a.NameRange, "%q is not allowed in a lock file.", name)
	}
	for _, block := range b.Blocks {
		p.block(block)
	}
}

func (p *parser) block(b *hclsyntax.Block) {
	at := b.DefRange()
	if len(b.Labels) != 1 {
		p.report(at, "A block in a lock file must have exactly one label.")
		return
	}
	label := b.Labels[0]
	if first, twice := p.seen[b.Type+" "+label]; twice {
		p.report(at, "%s %q occurs twice in the lock file, first on line %d. After a merge, keep only one of the two blocks, or run %s again.", b.Type, label, first.Start.Line, message.CommandInit)
		return
	}
	p.seen[b.Type+" "+label] = at
	v := values{parser: p, block: b, known: map[string]bool{}}
	switch b.Type {
	case "item":
		p.file.Items = append(p.file.Items, &Entry{
			Address: label, References: v.list("references"), Source: v.text("source", nil), Version: v.text("version", nil),
			Hash: v.text("hash", contentHash), Requires: v.table("requires"),
		})
	case "module":
		p.file.Modules = append(p.file.Modules, &Module{
			Address: label, Source: v.text("source", nil), Version: v.text("version", nil),
			Commit: v.text("commit", commitText), Hash: v.text("hash", contentHash),
		})
	case "fetch":
		p.file.Fetches = append(p.file.Fetches, &Fetch{URL: label, SHA256: v.text("sha256", sha256Text), Size: v.size("size")})
	case "image":
		p.file.Images = append(p.file.Images, &Image{Reference: label, Digest: v.text("digest", imageDigest)})
	default:
		p.report(at, "%q is not a valid block type in a lock file. A newer version of openpai may have written the file.", b.Type)
		return
	}
	v.rest()
}

// values reads the arguments of a block.
type values struct {
	*parser
	block *hclsyntax.Block
	known map[string]bool
}

func (v values) get(name string) (cty.Value, hcl.Range, bool) {
	v.known[name] = true
	a := v.block.Body.Attributes[name]
	if a == nil {
		return cty.NilVal, v.block.DefRange(), false
	}
	value, diags := a.Expr.Value(nil)
	if diags.HasErrors() || !value.IsWhollyKnown() || value.IsNull() {
		v.report(a.Range(), "%s must be a literal value.", name)
		return cty.NilVal, a.Range(), false
	}
	return value, a.Range(), true
}

func (v values) text(name string, form *regexp.Regexp) string {
	value, at, ok := v.get(name)
	text := ""
	if ok {
		text = v.asText(name, value, at)
	}
	if form != nil && !form.MatchString(text) {
		v.report(at, "%[1]s of %[2]q must match the pattern %[4]s, but is %[3]q.", name, v.block.Labels[0], text, form)
	}
	return text
}

func (v values) asText(name string, value cty.Value, at hcl.Range) string {
	if value.IsNull() || value.Type() != cty.String { // an element may be null
		v.report(at, "%s must be a string.", name)
		return ""
	}
	return value.AsString()
}

// size reads an optional number of bytes.
func (v values) size(name string) int64 {
	value, at, ok := v.get(name)
	if !ok {
		return 0
	}
	if value.Type() == cty.Number {
		if n, accuracy := value.AsBigFloat().Int64(); accuracy == big.Exact && n >= 0 {
			return n
		}
	}
	v.report(at, "%s must be a nonnegative integer in bytes.", name)
	return 0
}

func (v values) list(name string) []string {
	value, at, ok := v.get(name)
	if !ok {
		return nil
	}
	if !value.Type().IsTupleType() {
		v.report(at, "%s must be a list.", name)
		return nil
	}
	var all []string
	for it := value.ElementIterator(); it.Next(); {
		_, e := it.Element()
		all = append(all, v.asText(name, e, at))
	}
	return all
}

func (v values) table(name string) map[string]string {
	value, at, ok := v.get(name)
	if !ok {
		return nil
	}
	if !value.Type().IsObjectType() {
		v.report(at, "%s must be an object.", name)
		return nil
	}
	all := map[string]string{}
	for it := value.ElementIterator(); it.Next(); {
		key, e := it.Element()
		all[key.AsString()] = v.asText(name, e, at)
	}
	return all
}

// rest reports unknown arguments.
func (v values) rest() {
	for name, a := range v.block.Body.Attributes {
		if !v.known[name] {
			v.report(a.NameRange, "%q is not a valid argument of %s blocks.", name, v.block.Type)
		}
	}
	for _, b := range v.block.Body.Blocks {
		v.report(b.DefRange(), "%q is not allowed in %s blocks.", b.Type, v.block.Type)
	}
}
