// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// environment merges the variables of the job, the steps in order, and the
// task role. It removes the task role's variables from the steps, because the
// task role takes precedence.
func (r *resolver) environment(role *hclspec.TaskRole, scope *roleScope, e *expansion, steps []*Step) map[string]string {
	t := r.renderer(scope, scope.name)
	merged := t.environment(r.job.Environment, r.job.Path.Attr("environment"))
	r.checkVariables(merged, string(r.job.Address()), r.job.Path, r.sources)
	own := t.environment(role.Environment, role.Path.Attr("environment"))
	r.checkVariables(own, scope.name, role.Path, r.sources)
	for _, s := range steps {
		i := e.instances[s.Address]
		r.checkVariables(s.Environment, s.Address, i.definition.Path, i.definition.scope.sources)
		maps.Copy(merged, s.Environment)
		maps.DeleteFunc(s.Environment, func(name, _ string) bool { _, set := own[name]; return set })
		if len(s.Environment) == 0 {
			s.Environment = nil
		}
	}
	maps.Copy(merged, own)
	if len(merged) == 0 {
		return nil
	}
	return merged
}

func (r *resolver) checkVariables(env map[string]string, owner string, path hclspec.Path, sources hclspec.SourceMap) {
	for _, name := range slices.Sorted(maps.Keys(env)) {
		at := sources.Range(path.Attr("environment").Key(name))
		switch {
		case strings.HasPrefix(name, "PAI_") || strings.HasPrefix(name, "FC_"):
			r.reportAt(hclspec.ReservedVariable, at, "%s sets %s, but names that begin with PAI_ or FC_ are reserved for the runtime. Use another name.", upperFirst(owner), name)
		case !variableName.MatchString(name):
			r.reportAt(hclspec.InvalidVariableName, at, "%s sets %q, which is not a valid environment variable name.", upperFirst(owner), name)
		case strings.ContainsRune(env[name], 0):
			r.reportAt(hclspec.NULInVariable, at, "%s sets %s to a value with a NUL character, which environment variables cannot contain. Remove the character.", upperFirst(owner), name)
		}
	}
}
