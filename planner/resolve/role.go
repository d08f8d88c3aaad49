// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"cmp"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/template"
)

func (r *resolver) taskRole(role *hclspec.TaskRole, frameworkName string, deployment *hclspec.Deployment) *TaskRole {
	scope := r.newRoleScope(role)
	instances := max(role.Instances, 1)
	t := r.renderer(scope, scope.name)
	enabled := r.enable(scope, role)
	e := r.expand(scope, slices.Concat(enabled, role.Prerequisites), "")
	steps := e.render()
	out := &TaskRole{
		Name: role.Name, FrameworkName: frameworkName, Instances: instances, TaskRetryCount: role.TaskRetryCount,
		MinFailed:    threshold(role.Completion.MinFailedInstances, 1),
		MinSucceeded: threshold(role.Completion.MinSucceededInstances, instances),
		Limits:       role.Resources.Limits, ExtraContainerOptions: role.ExtraContainerOptions,
		Ports: ports(role.Resources.Ports), FixedPorts: role.Resources.FixedPorts, Pod: withoutPath(role.Pod),
		Commands:         t.script(role, r.deploymentRole(deployment, role)),
		Environment:      r.environment(role, scope, e, steps),
		Steps:            append(steps, r.plugins(role, scope)...),
		Mounts:           r.storages(role, scope, e),
		MaxRunSeconds:    r.maxRun(role),
		StopGraceSeconds: seconds(role.StopGrace, seconds(r.job.StopGrace, defaultStopGrace)),
		Enabled:          enabled,
	}
	out.Secrets = r.note(scope)
	out.Image = r.image(role, scope)
	return out
}

// note marks the secrets of a task role as used. It returns their sorted
// names.
func (r *resolver) note(scope *roleScope) []string {
	var names []string
	for name := range scope.secrets {
		r.secrets[name] = true
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// threshold returns the number of tasks for a completion rule. The values nil
// and 0 mean the default; a negative number disables the rule. Source:
// microsoft/pai: src/rest-server/src/models/v2/job/k8s.js.
func threshold(input *int, otherwise int) int {
	if input == nil || *input == 0 {
		return otherwise
	}
	return *input
}

// ports returns the ports, sorted by label. It adds missing ports for the
// labels ssh and http. Source: microsoft/pai:
// src/rest-server/src/models/v2/job/k8s.js.
func ports(input map[string]int) []Port {
	all := []Port{}
	for label, count := range input {
		all = append(all, Port{label, count})
	}
	for _, label := range []string{"ssh", "http"} {
		if _, there := input[label]; !there {
			all = append(all, Port{label, 1})
		}
	}
	slices.SortFunc(all, func(a, b Port) int { return cmp.Compare(a.Label, b.Label) })
	return all
}

// deploymentRole returns the commands that the deployment adds to the role,
// or nil if it adds none.
func (r *resolver) deploymentRole(d *hclspec.Deployment, role *hclspec.TaskRole) *hclspec.DeploymentTaskRole {
	if d == nil {
		return nil
	}
	for _, candidate := range d.TaskRoles {
		if candidate.Name == role.Name {
			return candidate
		}
	}
	return nil
}

// script joins the commands: pre-commands, commands, post-commands.
func (t *renderer) script(role *hclspec.TaskRole, around *hclspec.DeploymentTaskRole) []string {
	lines := []string{}
	if around != nil {
		lines = append(lines, t.commands(around.PreCommands, around.Path.Attr("pre_commands"))...)
	}
	lines = append(lines, t.commands(role.Commands, role.Path.Attr("commands"))...)
	if around != nil {
		lines = append(lines, t.commands(around.PostCommands, around.Path.Attr("post_commands"))...)
	}
	return lines
}

func (r *resolver) maxRun(role *hclspec.TaskRole) int {
	limit := cmp.Or(role.MaxRunTime, r.job.MaxRunTime)
	if limit == 0 && r.cluster != nil {
		limit = r.cluster.MaxRunTime
	}
	return seconds(limit, 0)
}

// image returns the resolved image of a task role. The registry login may
// refer to secrets that the role's containers do not receive.
func (r *resolver) image(role *hclspec.TaskRole, scope *roleScope) Image {
	if role.Image.IsZero() {
		return Image{}
	}
	if r.isPlainImage(role.Image.Target) {
		return Image{URI: role.Image.Target}
	}
	login := scope.with(scope.contexts)
	e := r.expand(login, []hclspec.Reference{role.Image}, "dockerimage")
	for _, i := range e.order() {
		e.renderFields(i, !i.listed)
		if i.listed {
			image := e.imageOf(i)
			r.note(login)
			return image
		}
	}
	return Image{}
}

// isPlainImage reports whether target is an image reference, which only native jobs
// may use. It returns false for a probably misspelled name of a dockerimage
// prerequisite.
func (r *resolver) isPlainImage(target string) bool {
	switch {
	case !r.native, isItem(target), isAddress(target, "prerequisite"), len(r.scope.named(target)) > 0:
		return false
	case strings.ContainsAny(target, "/:@."):
		return true
	}
	return hclspec.Nearest(target, r.scope.images()) == ""
}

func (e *expansion) imageOf(i *instance) Image {
	image := Image{Address: i.address}
	if len(i.values.uri) > 0 {
		image.URI = e.imageURI(i)
	}
	if auth := i.filled.Auth; auth != nil {
		path := i.definition.Path.Attr("auth")
		t := e.renderer(e.role.lookup(e.rendered(i)), i.definition.scope.sources, i.address)
		image.Username = t.render(auth.Username, path.Attr("username"))
		image.Password = t.render(auth.Password, path.Attr("password"))
		image.RegistryURI = t.render(auth.RegistryURI, path.Attr("registry_uri"))
	}
	return image
}

// imageURI returns the image reference as literal text, because no later stage
// renders it. imageURI checks references with templates or from a marketplace,
// because earlier stages cannot check these references.
func (e *expansion) imageURI(i *instance) string {
	uri := withoutEscapes(i.values.uri[0])
	if !hclspec.HasTemplate(i.definition.URI[0]) && i.definition.source == "" {
		return uri
	}
	at := i.definition.scope.sources.Range(i.definition.Path.Attr("uri").Index(0))
	if d := hclspec.CheckImage(uri, !e.strict, at); d != nil {
		e.diags = append(e.diags, d)
	}
	return uri
}

// withoutEscapes replaces <%% with <%, except in strings with a reference to
// a secret.
func withoutEscapes(text string) string {
	if len(template.Tags(text)) > 0 {
		return text
	}
	plain, _ := template.Render(text, func(template.Ref) (any, bool) { return nil, false })
	return plain
}

// maxRoleName is the maximum length of a task role name. Source:
// microsoft/frameworkcontroller: pkg/apis/frameworkcontroller/v1/constants.go.
const maxRoleName = 63

// frameworkNames returns the Framework names of the task roles, in role
// order. It reports invalid names.
func (r *resolver) frameworkNames() []string {
	names := make([]string, len(r.job.TaskRoles))
	first := map[string]string{}
	for i, role := range r.job.TaskRoles {
		name := contract.RoleName(role.Name)
		names[i] = name
		switch other, used := first[name]; {
		case name == "":
			r.report(hclspec.InvalidRoleName, role.Path, "The task role name %q must contain at least one digit or letter from a to z.", role.Name)
		case len(name) > maxRoleName:
			r.report(hclspec.InvalidRoleName, role.Path, "The task role name %q has %d characters on the cluster; at most %d are allowed. Shorten the name.", role.Name, len(name), maxRoleName)
		case used:
			r.report(hclspec.InvalidRoleName, role.Path, "The task roles %q and %q have the same name %q on the cluster. Rename one of them.", other, role.Name, name)
		default:
			first[name] = role.Name
		}
	}
	return names
}
