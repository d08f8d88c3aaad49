// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// setParameters sets parameters to the values that do not match a variable. A
// value sets the parameter of the same name in every protocol YAML job.
func (l *loader) setParameters() {
	jobs := slices.DeleteFunc(slices.Clone(l.loaded.Workspace.Jobs), func(j *hclspec.Job) bool {
		return j.Syntax != hclspec.SyntaxProtocol && j.Syntax != hclspec.SyntaxLegacy
	})
	known := l.names(jobs)
	last := map[string]syntax.Value{}
	for _, v := range l.unmatched {
		switch {
		case known[v.Name]:
			last[v.Name] = v
		case v.Origin == syntax.OriginEnvironment, len(jobs) == 0 && l.declarationsHaveErrors():
			// The value is for another workspace, or for a declaration in a file with
			// errors.
		default:
			l.report(syntax.Undeclared(v, slices.Sorted(maps.Keys(known))))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(last)) {
		l.setParameter(jobs, last[name])
	}
}

// declarationsHaveErrors reports whether any declaration has an error. It ignores
// errors in variables files, because such files do not contain declarations.
func (l *loader) declarationsHaveErrors() bool {
	return slices.ContainsFunc(l.diags, func(d *hcl.Diagnostic) bool {
		return d.Severity == hcl.DiagError && (d.Subject == nil || kindOf(d.Subject.Filename) != kindVariables)
	})
}

// names returns the variables and parameters that the user can set. For a job
// file, it includes the variables of other files in the directory. The same
// options are then valid for the directory and for the job file.
func (l *loader) names(jobs []*hclspec.Job) map[string]bool {
	known := map[string]bool{}
	variables := l.loaded.Workspace.Variables
	if l.loaded.neighbors != nil {
		variables = l.loaded.neighbors.Variables
	}
	for _, v := range variables {
		known[v.Name] = true
	}
	for _, job := range jobs {
		for name := range job.Parameters {
			known[name] = true
		}
	}
	return known
}

func (l *loader) setParameter(jobs []*hclspec.Job, v syntax.Value) {
	for _, job := range jobs {
		present, there := job.Parameters[v.Name]
		if !there {
			continue
		}
		value, diags := v.ForParameter(present, l.loaded.Files)
		l.diags = append(l.diags, diags...)
		if diags.HasErrors() {
			return
		}
		job.Parameters[v.Name] = value
		if !slices.Contains(l.loaded.Parameters, v.Name) {
			l.loaded.Parameters = append(l.loaded.Parameters, v.Name)
		}
	}
}

// setChoices replaces declared job settings with the user's choices for one
// submission.
func (l *loader) setChoices() {
	var lacking []*hclspec.Job
	for _, job := range l.loaded.Workspace.Jobs {
		if !isChosen(job, l.options.Jobs) {
			continue
		}
		if name := l.options.Deployment; declaresDeployment(job, name) {
			job.DefaultDeployment = name
		} else if name != "" {
			lacking = append(lacking, job)
		}
		job.VirtualCluster = cmp.Or(l.options.VirtualCluster, job.VirtualCluster)
	}
	l.reportDeployment(lacking)
}

func declaresDeployment(job *hclspec.Job, name string) bool {
	return slices.ContainsFunc(job.Deployments, func(d *hclspec.Deployment) bool { return d.Name == name })
}

// reportDeployment reports an error if jobs do not declare the requested
// deployment. The diagnostic has no position, because no file contains the
// name.
func (l *loader) reportDeployment(lacking []*hclspec.Job) {
	if len(lacking) == 0 {
		return
	}
	var jobs, known []string
	for _, job := range lacking {
		jobs = append(jobs, string(job.Address()))
		for _, d := range job.Deployments {
			known = append(known, d.Name)
		}
	}
	slices.Sort(known)
	known = slices.Compact(known)
	l.report(hclspec.UnknownDeployment.At(hcl.Range{}, "%s %q is not declared by %s.%s Deployments: %s.",
		message.OptionDeployment, l.options.Deployment, quantity.List(jobs, "job"), hclspec.Suggest(l.options.Deployment, known), hclspec.QuoteList(known, "none")))
}

func isChosen(job *hclspec.Job, patterns []hclspec.Address) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, job.Address().Matches)
}

// rename sets the name of the only job to the name from the options, and appends
// the name to the workspace name.
func (l *loader) rename() {
	ws := l.loaded.Workspace
	if l.options.Name == "" || len(ws.Jobs) != 1 {
		return
	}
	l.diags = append(l.diags, hclspec.CheckField(hclspec.JobBlock.Field("name"), l.options.Name, "", nil)...)
	ws.Jobs[0].Name = l.options.Name
	ws.Name += "." + l.options.Name
}
