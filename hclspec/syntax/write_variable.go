// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// parameterVariables maps parameter paths to variable names. If several jobs
// have a parameter with the same name, only the parameter of the first job
// becomes a variable.
func parameterVariables(jobs []*hclspec.Job, uses map[string]VariableUse) map[hclspec.Path]string {
	variables, seen := map[hclspec.Path]string{}, map[string]bool{}
	for _, job := range jobs {
		for name, value := range job.Parameters {
			if variableName.MatchString(name) && isScalar(value) && !seen[name] && uses[name] != WriteValue {
				variables[job.Path.Attr("parameters").Key(name)] = name
			}
		}
		for name := range job.Parameters {
			seen[name] = true
		}
	}
	return variables
}

// isScalar reports whether a value is a bool, a number or a string without
// references. The resolver replaces references in a string only where the job
// uses the parameter.
func isScalar(value any) bool {
	switch value := value.(type) {
	case bool, hclspec.Number:
		return true
	case string:
		return !strings.Contains(value, "<%")
	}
	return false
}

// declareVariables uses the parameter values as defaults.
func (w *writer) declareVariables() []*block {
	var all []*block
	for _, job := range w.ws.Jobs {
		for _, name := range slices.Sorted(maps.Keys(job.Parameters)) {
			path := job.Path.Attr("parameters").Key(name)
			if w.variables[path] == "" || w.options.Variables[name] == ReferToVariable {
				continue
			}
			all = append(all, &block{path: path, name: "variable", labels: []string{name}, attributes: []attribute{
				{name: "type", value: typeName(job.Parameters[name])},
				{name: "default", value: w.plain(reflect.ValueOf(job.Parameters[name]), "")},
			}})
		}
	}
	return all
}

// typeName returns the type of a scalar. The result is an address, because an
// HCL type has no quotes.
func typeName(value any) address {
	switch value.(type) {
	case bool:
		return "bool"
	case hclspec.Number:
		return "number"
	}
	return "string"
}
