// SPDX-License-Identifier: MPL-2.0

package hclspec

import "github.com/hashicorp/hcl/v2"

// Validate checks a model, but does not resolve prerequisites. The model can be
// decoded from any syntax. Validate reports invalid names, missing
// declarations, conflicting values and conditions that are never true.
// Diagnostics are sorted by position. The decoders check single fields
// ([CheckField]). planner/resolve checks events, plugins and the prerequisite
// graph.
func Validate(ws *Workspace) hcl.Diagnostics {
	v := &validator{ws: ws, shared: newShared(ws.Prerequisites)}
	v.workspace()
	for _, p := range ws.Prerequisites {
		v.prerequisite(nil, p)
	}
	for _, job := range ws.Jobs {
		v.job(job)
	}
	return Sort(v.diags)
}

type validator struct {
	ws    *Workspace
	diags hcl.Diagnostics
	// shared holds the prerequisites of the workspace. known holds the names
	// that the current job can refer to.
	shared *shared
	known  *names
	// jobName is the name of the current job.
	jobName string
	// compared is the number of comparisons so far; see suggest.
	compared int
}

// maxCompared is the maximum number of comparisons for suggestions. For each
// suggestion, the validator compares an unknown name with every known name. A
// generated file can contain thousands of unknown and known names.
const maxCompared = 20_000

// suggest calls [Suggest], but returns "" after more than maxCompared
// comparisons.
func (v *validator) suggest(input string, known func() []string) string {
	if v.compared > maxCompared {
		return ""
	}
	names := known()
	v.compared += len(names)
	return Suggest(input, names)
}

func (v *validator) report(e *Entry, at Path, format string, args ...any) {
	d := e.At(v.ws.Sources.Range(at), format, args...)
	v.diags = append(v.diags, Concerning(hcl.Diagnostics{d}, at, v.jobName)...)
}

func (v *validator) job(job *Job) {
	v.jobName = job.Name
	v.known = newNames(job, v.shared.in(job.Module))
	v.names(job)
	for _, p := range job.Prerequisites {
		v.prerequisite(job, p)
	}
	for _, p := range job.ReferencePrerequisites {
		v.prerequisite(job, p)
	}
	if !job.IsImported() { // YAML contains the values of its secrets
		for _, s := range job.Secrets {
			v.secret(s)
		}
	}
	v.environment(job.Environment, job.Path.Attr("environment"))
	v.cluster(job)
	v.deployments(job)
	v.placement(job)
	v.mounts(job)
	if n := len(job.TaskRoles); n > maxTaskRoles {
		v.report(ValueOutOfRange, job.Path.Attr("task_role"), "Job %q has %d task roles, but at most %d are allowed. Every task receives the addresses of all roles. For identical tasks, use one role with several instances.", job.Name, n, maxTaskRoles)
	}
	for _, role := range job.TaskRoles {
		v.taskRole(job, role)
	}
}

// maxTaskRoles is the maximum number of task roles of a job. The run
// specification of each role describes all roles, so the total size of the
// specifications grows with the square of the number of roles.
const maxTaskRoles = 500

func (v *validator) taskRole(job *Job, role *TaskRole) {
	v.references(job, role)
	v.completion(job, role)
	v.sharedMemory(job, role)
	v.fixedPorts(job, role)
	v.environment(role.Environment, role.Path.Attr("environment"))
}

// key returns the name of a field in the syntax of the job.
func key(job *Job, b *Block, name string) string {
	if job.Syntax != SyntaxProtocol {
		return name
	}
	if f := b.Field(name); f != nil && f.Protocol != "" {
		return f.Protocol
	}
	return name
}
