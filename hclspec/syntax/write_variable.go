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

// parameterVariables returns the variable names for parameters. The keys are
// the paths of the parameters. If two jobs have a parameter with the same name,
// only the parameter of the first job gets the variable.
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

// isScalar reports whether a value is a bool, a number, or a string without
// references. The resolver replaces the references in a string where the job uses
// the parameter.
func isScalar(value any) bool {
	switch value := value.(type) {
	case bool, hclspec.Number:
		return true
	case string:
		return !strings.Contains(value, "<%")
	}
	return false
}

// declareVariables returns the variables for parameters, each with its value as
// the default.
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

// typeName returns the "type" argument of a variable whose default is the
// given scalar. In HCL, a type is a name without quotes, so the result is an
// address instead of a string.
func typeName(value any) address {
	switch value.(type) {
	case bool:
		return "bool"
	case hclspec.Number:
		return "number"
	}
	return "string"
}
