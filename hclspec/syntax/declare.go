// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// declare groups the blocks of a file by type. It reports a second
// declaration of a name and uses the first.
func (d *decoder) declare(body hcl.Body, s *shape) {
	for _, b := range d.content(body, s).Blocks {
		if !d.allowed(b) {
			continue
		}
		switch b.Type {
		case "locals":
			d.declareLocals(b)
		case "moved":
			d.blocks[b.Type] = append(d.blocks[b.Type], b)
		default:
			key := b.Type + "\x00" + strings.Join(b.Labels, "\x00")
			if first := d.declared[key]; first != nil {
				d.report(declaredTwice(b, first))
				continue
			}
			d.declared[key] = b
			d.blocks[b.Type] = append(d.blocks[b.Type], b)
		}
	}
}

func (d *decoder) declareLocals(b *hcl.Block) {
	attributes, diags := b.Body.JustAttributes()
	d.report(InvalidSyntax.Adopt(diags)...)
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		a := attributes[name]
		if first := d.scope.locals[name]; first != nil {
			d.report(hclspec.DuplicateDeclaration.At(a.NameRange, "The local value %q is already declared at %s.", name, formatPosition(first.attribute.NameRange)))
			continue
		}
		d.scope.locals[name] = &local{attribute: a}
	}
}

func declaredTwice(b, first *hcl.Block) *hcl.Diagnostic {
	name := strings.Join(append([]string{b.Type}, quoted(b.Labels)...), " ")
	advice := "Rename or remove one of them."
	if len(b.Labels) == 0 {
		advice = "Put everything into one block."
	}
	return hclspec.DuplicateDeclaration.At(b.DefRange, "The block %s is already declared at %s. %s", name, formatPosition(first.DefRange), advice)
}

func formatPosition(r hcl.Range) string {
	return fmt.Sprintf("%s:%d,%d", r.Filename, r.Start.Line, r.Start.Column)
}
