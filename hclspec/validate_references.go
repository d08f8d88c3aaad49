// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"slices"
	"strings"
)

// references checks that the prerequisites of a role are declared.
func (v *validator) references(job *Job, role *TaskRole) {
	for _, ref := range role.Prerequisites {
		v.declared(job, role, ref, "prerequisites", "")
	}
	typed := []struct {
		ref         Reference
		field, want string
	}{
		{role.Image, "image", "dockerimage"}, {role.Data, "data", "data"}, {role.Output, "output", "output"}, {role.Script, "script", "script"},
	}
	for _, t := range typed {
		if !t.ref.IsZero() {
			v.declared(job, role, t.ref, t.field, t.want)
		}
	}
	v.plainImage(job, role)
}

// declared reports a reference that does not exist or has the wrong type for
// the field. The resolver looks up marketplace items later.
func (v *validator) declared(job *Job, role *TaskRole, ref Reference, field, want string) {
	if strings.Contains(ref.Target, "://") || want == "dockerimage" && v.isPlainImage(job, ref) {
		return
	}
	found := v.known.find(ref.Target)
	if len(found) == 0 {
		v.report(UnknownPrerequisite, ref.Path, "Task role %q of job %q refers to %q in %s, but no prerequisite with that name is declared.%s",
			role.Name, job.Name, ref.Target, key(job, TaskRoleBlock, field), v.suggest(ref.Target, v.known.candidates(ref.Target, want)))
		return
	}
	for _, p := range found {
		if want == "" || p.Type == want {
			return
		}
	}
	v.report(WrongPrerequisiteType, ref.Path, "Task role %q of job %q refers to %q in %s, which requires a prerequisite of type %s. The declared prerequisite is of type %s.%s",
		role.Name, job.Name, ref.Target, key(job, TaskRoleBlock, field), want, found[0].Type, v.suggest(ref.Target, v.known.candidates(ref.Target, want)))
}

// prerequisiteAddress parses an address in any notation, for example with
// brackets instead of dots.
func prerequisiteAddress(target string) (Address, bool) {
	module, local := Address(target).Split()
	if !strings.HasPrefix(local.String(), "prerequisite.") && !strings.HasPrefix(local.String(), "prerequisite[") {
		return "", false
	}
	steps := Path(local).steps()
	if len(steps) != 3 {
		return Address(target), true // target is a for_each instance or an unknown address
	}
	return NewAddress("prerequisite", steps[1].text, steps[2].text).In(module), true
}

// isPlainImage reports whether ref is an image reference. In imported jobs,
// ref always refers to a prerequisite.
func (v *validator) isPlainImage(job *Job, ref Reference) bool {
	if job.IsImported() {
		return false
	}
	if strings.HasPrefix(ref.Target, "marketplace://") {
		return false
	}
	_, isAddress := prerequisiteAddress(ref.Target)
	return !isAddress && len(v.known.find(ref.Target)) == 0
}

func (v *validator) plainImage(job *Job, role *TaskRole) {
	if !role.Image.IsZero() && v.isPlainImage(job, role.Image) {
		v.image(job, role.Image.Target, role.Image.Path)
	}
}

func (v *validator) cluster(job *Job) {
	name := strings.TrimPrefix(job.Cluster, "cluster.")
	if name == "" || name == "local" || v.ws.Cluster(name) != nil {
		return
	}
	v.report(UnknownCluster, job.Path.Attr("cluster"), "Job %q runs on the cluster %q, which no cluster block declares.%s", job.Name, name, Suggest(name, append(v.clusterNames(), "local")))
}

// deployments checks that the default deployment exists and that the job
// declares all task roles in deployments.
func (v *validator) deployments(job *Job) {
	var names []string
	for _, d := range job.Deployments {
		names = append(names, d.Name)
		for _, r := range d.TaskRoles {
			if v.known.lacksRole(r.Name) {
				v.report(foreign(job, DeploymentForUnknownRole, DeploymentRoleIgnored), r.Path, "The deployment %q of job %q contains commands for the task role %q, which the job does not declare.%s",
					d.Name, job.Name, r.Name, v.suggest(r.Name, roleNames(job)))
			}
		}
	}
	active := job.DefaultDeployment
	if active == "" || slices.Contains(names, active) {
		return
	}
	v.report(UnknownDeployment, job.Path.Attr("default_deployment"), "%s of job %q refers to the deployment %q, which is not declared.%s Declared deployments: %s.",
		key(job, JobBlock, "default_deployment"), job.Name, active, Suggest(active, names), QuoteList(names, "none"))
}

func roleNames(job *Job) func() []string {
	return func() []string {
		var names []string
		for _, r := range job.TaskRoles {
			names = append(names, r.Name)
		}
		return names
	}
}

// foreign returns lenient, a warning, for an imported job, because OpenPAI
// accepts the job. For any other job, it returns strict, an error.
func foreign(job *Job, strict, lenient *Entry) *Entry {
	if job.IsImported() {
		return lenient
	}
	return strict
}
