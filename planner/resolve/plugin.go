// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// pluginApplies reports whether a plugin applies to a role. The plugin may
// list the declared name of the role or its Framework name.
func pluginApplies(p *hclspec.Plugin, role string) bool {
	return len(p.TaskRoles) == 0 || slices.ContainsFunc(p.TaskRoles, func(name string) bool { return sameRole(name, role) })
}

func sameRole(name, role string) bool { return name == role || name == contract.RoleName(role) }

func (r *resolver) roleNames() []string {
	var names []string
	for _, role := range r.job.TaskRoles {
		names = append(names, role.Name)
	}
	return names
}

func (r *resolver) checkPluginRoles() {
	known := r.roleNames()
	for _, p := range r.job.Plugins {
		for i, name := range p.TaskRoles {
			if !slices.ContainsFunc(known, func(role string) bool { return sameRole(name, role) }) {
				r.report(PluginForUnknownRole, p.Path.Attr("task_roles").Index(i), "The plugin %q is limited to the task role %q, but the job declares %s.%s",
					p.Name, name, hclspec.QuoteList(known, "none"), hclspec.Suggest(name, known))
			}
		}
	}
}

// plugins returns the steps of the job plugins that apply to a task role. It
// omits storage plugins, which only add mounts; see [mounts].
func (r *resolver) plugins(role *hclspec.TaskRole, scope *roleScope) []*Step {
	var steps []*Step
	count := map[string]int{}
	for _, p := range r.job.Plugins {
		if !pluginApplies(p, role.Name) {
			continue
		}
		s := r.pluginStep(p, scope)
		count[s.Name]++
		if n := count[s.Name]; n > 1 {
			s.Address += fmt.Sprintf("[%d]", n-1)
		}
		if !contract.IsStoragePlugin(s.Plugin) {
			steps = append(steps, s)
		}
	}
	return steps
}

func (r *resolver) pluginStep(p *hclspec.Plugin, scope *roleScope) *Step {
	short := r.renderer(scope, "the job").plugin(p.Name, contract.PluginCmd, p.Path)
	address := string(hclspec.NewAddress("plugin", short))
	t := r.renderer(scope, address)
	s := &Step{
		Address: address, Name: short, Plugin: short, FailurePolicy: cmp.Or(p.FailurePolicy, "fail"),
		Parameters: t.object(p.Parameters, p.Path.Attr("parameters")),
	}
	t.commandParameters(s, p.Path.Attr("parameters"))
	t.checkSSHParameters(s, p.Path.Attr("parameters"))
	return s
}

// commandParameters converts the parameters of the cmd plugin to callbacks:
// preCommands become a taskStarts callback, postCommands become a taskSucceeds
// callback, and each element of callbacks becomes a callback. Source:
// microsoft/openpai-runtime: src/plugins/cmd.
func (t *renderer) commandParameters(s *Step, path hclspec.Path) {
	if s.Plugin != contract.PluginCmd {
		return
	}
	for _, short := range []struct{ key, event string }{{"preCommands", contract.EventTaskStarts}, {"postCommands", contract.EventTaskSucceeds}} {
		if value, input := s.Parameters[short.key]; input {
			t.addCallback(s, short.key+" of "+s.Address, short.event, value, t.sources.Range(path.Key(short.key)))
			delete(s.Parameters, short.key)
		}
	}
	value, input := s.Parameters["callbacks"]
	if !input {
		return
	}
	delete(s.Parameters, "callbacks")
	list, ok := value.([]any)
	if !ok {
		t.reportAt(InvalidCallbacks, t.sources.Range(path.Key("callbacks")), "The callbacks of %s must be a list.", s.Address)
	}
	for i, element := range list {
		t.callbackParameter(s, element, fmt.Sprintf("callbacks[%d] of %s", i, s.Address), t.sources.Range(path.Key("callbacks").Index(i)))
	}
}

func hasCommandParameters(parameters map[string]any) bool {
	for _, key := range []string{"preCommands", "postCommands", "callbacks"} {
		if _, written := parameters[key]; written {
			return true
		}
	}
	return false
}

// addCallback adds a callback. The parameter what describes the commands in
// messages.
func (t *renderer) addCallback(s *Step, what, event string, commands any, at hcl.Range) *Callback {
	list, ok := stringList(commands)
	if !ok {
		t.reportAt(InvalidCallbacks, at, "%s must be a list of strings.", what)
	}
	c := &Callback{Event: event, Commands: list, FailurePolicy: s.FailurePolicy, Retry: s.Retry}
	s.Callbacks = append(s.Callbacks, c)
	return c
}

// stringList returns a single string as a list with one element.
func stringList(value any) ([]string, bool) {
	if text, ok := value.(string); ok {
		return []string{text}, true
	}
	list, ok := value.([]any)
	var out []string
	for _, element := range list {
		text, isText := element.(string)
		ok = ok && isText
		out = append(out, text)
	}
	return out, ok
}
