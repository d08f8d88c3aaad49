// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
)

// variablePrefix is the prefix of environment variables for HCL variables and
// job parameters.
const variablePrefix = "PAI_VAR_"

// values returns values in order of increasing precedence: environment, files
// in the directory (by name), files from options, options, recorded values.
func (l *loader) values(files []string) []syntax.Value {
	var all []syntax.Value
	for _, e := range l.options.Environ {
		if name, text, ok := strings.Cut(e, "="); ok && strings.HasPrefix(name, variablePrefix) {
			all = append(all, syntax.Value{Name: strings.TrimPrefix(name, variablePrefix), Origin: syntax.OriginEnvironment, Text: text})
		}
	}
	for _, name := range append(files, l.options.VarFiles...) {
		src, ok := l.read(name, hcl.Range{})
		if !ok {
			continue
		}
		values, diags := syntax.ParseValues(name, src)
		l.diags = append(l.diags, diags...)
		all = append(all, values...)
	}
	for _, input := range l.options.Vars {
		name, text, ok := strings.Cut(input, "=")
		if !ok || name == "" {
			l.report(InvalidVariableArgument.At(hcl.Range{}, "%q must have the form name=value.", input))
			continue
		}
		all = append(all, syntax.Value{Name: name, Origin: syntax.OriginOption, Text: text})
	}
	return append(all, l.recorded()...)
}

// recorded returns the recorded values that the options contain.
func (l *loader) recorded() []syntax.Value {
	var all []syntax.Value
	for _, name := range slices.Sorted(maps.Keys(l.options.Recorded.Variables)) {
		value, err := syntax.RecordedValue(name, l.options.Recorded.Variables[name])
		if err != nil {
			l.report(InvalidVariableArgument.At(hcl.Range{}, "%s.", err))
			continue
		}
		all = append(all, value)
	}
	return all
}
