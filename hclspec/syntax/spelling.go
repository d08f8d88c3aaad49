// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// spelling returns the source text of a number, such as 0.10. For a plain
// reference to a variable or local, it returns the spelling of the value. It
// returns "" for any other expression.
func (s *scope) spelling(expr hcl.Expression) string {
	src := strings.TrimSpace(string(expr.Range().SliceBytes(s.decoder.files[expr.Range().Filename])))
	if hclspec.Number(src).InJSON() {
		return src
	}
	names := expr.Variables()
	if len(names) != 1 || len(names[0]) != 2 {
		return ""
	}
	name, _ := stepName(names[0], 1)
	qualified := names[0].RootName() + "." + name
	if src != qualified && src != `"${`+qualified+`}"` {
		return ""
	}
	switch names[0].RootName() {
	case "var":
		return s.spellings[name]
	case "local":
		if l := s.locals[name]; l != nil && l.ok {
			return l.spelling
		}
	}
	return ""
}
