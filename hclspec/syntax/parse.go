// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
)

// parseAll parses all files and reports only syntax errors. If a file fails
// to parse, callers must not report other errors, because the declarations in
// that file are unknown.
func parseAll(files map[string][]byte) ([]hcl.Body, hcl.Diagnostics) {
	var bodies []hcl.Body
	var found hcl.Diagnostics
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file, diags := parseSource(name, files[name])
		found = append(found, diags...)
		if file != nil {
			bodies = append(bodies, file.Body)
		}
	}
	return bodies, found
}

// openQuote is HCL's summary for a line break in a quoted string.
const openQuote = "Invalid multi-line string"

// rootCauses omits syntax errors that result from an earlier error. It returns one
// error per position. An unclosed quote also causes errors on the following lines;
// rootCauses keeps only the first.
func rootCauses(diags hcl.Diagnostics) hcl.Diagnostics {
	var kept hcl.Diagnostics
	open := false
	places := map[hcl.Pos]bool{}
	for _, d := range diags {
		if d.Subject == nil {
			kept = append(kept, d)
			continue
		}
		if places[d.Subject.Start] || open && d.Summary == openQuote {
			continue
		}
		places[d.Subject.Start] = true
		open = open || d.Summary == openQuote
		kept = append(kept, d)
	}
	return kept
}

// parseSource parses one source within the limits of [scanLimits].
func parseSource(name string, src []byte) (*hcl.File, hcl.Diagnostics) {
	if diags := scanLimits(name, src); diags.HasErrors() {
		return nil, diags
	}
	if isJSON(name) {
		file, diags := json.Parse(src, name)
		return file, InvalidSyntax.Adopt(diags[:min(len(diags), 1)]) // later errors report only that the enclosing value is incomplete
	}
	file, diags := hclsyntax.ParseConfig(src, name, hcl.InitialPos)
	return file, InvalidSyntax.Adopt(rootCauses(diags))
}

// ParseNative parses a source in native syntax within the limits of
// [scanLimits]. All code that reads HCL from users must call ParseNative. A
// file of a few hundred kB can overflow the stack in HCL's parser. After an
// error, the body is nil.
func ParseNative(name string, src []byte) (*hclsyntax.Body, hcl.Diagnostics) {
	if diags := scanLimits(name, src); diags.HasErrors() {
		return nil, diags
	}
	file, diags := hclsyntax.ParseConfig(src, name, hcl.InitialPos)
	if diags.HasErrors() {
		return nil, InvalidSyntax.Adopt(rootCauses(diags))
	}
	return file.Body.(*hclsyntax.Body), diags
}

func isJSON(name string) bool { return strings.HasSuffix(name, ".json") }
