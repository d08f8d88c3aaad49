package syntax

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
)

// parse returns the body of a file, or nil when there is none to go on with.
func (d *decoder) parse(name string, src []byte) hcl.Body {
	file, diags := parseSource(name, src)
	d.report(diags...)
	if file == nil {
		return nil
	}
	return file.Body
}

// parseSource parses one source within the limits of [ScanLimits].
func parseSource(name string, src []byte) (*hcl.File, hcl.Diagnostics) {
	if diags := ScanLimits(name, src); diags.HasErrors() {
		return nil, diags
	}
	if isJSON(name) {
		return json.Parse(src, name)
	}
	return hclsyntax.ParseConfig(src, name, hcl.InitialPos)
}

func isJSON(name string) bool { return strings.HasSuffix(name, ".json") }
