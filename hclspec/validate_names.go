// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"regexp"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// maxName is the maximum length of a name. Source: microsoft/pai:
// src/rest-server/src/config/v2/protocol.js.
const maxName = 255

// maxRoleName is the maximum length of a task role name in the Framework.
// Source: microsoft/frameworkcontroller:
// pkg/apis/frameworkcontroller/v1/crd.go.
const maxRoleName = 63

var roleName = regexp.MustCompile(rolePattern)

// names checks that the names within a job are unique and not too long.
func (v *validator) names(job *Job) {
	v.length("The job", job.Name, job.Path)
	v.prerequisiteNames(job)
	v.roleNames(job)
	seen := map[string]Path{}
	for _, d := range job.Deployments {
		v.length("The deployment", d.Name, d.Path)
		v.once(seen, "", "The deployment", d.Name, d.Path.Attr("name"))
	}
	v.secretNames(job)
}

// secretNames checks that secret names are unique in the job and differ from the
// names of workspace secrets. Otherwise, an expression outside the job would be
// ambiguous. A protocol file can refer only to its own secrets.
func (v *validator) secretNames(job *Job) {
	seen := map[string]Path{}
	if !job.IsImported() {
		for _, s := range v.ws.Secrets {
			seen[s.Module.String()+"."+s.Name] = s.Path
		}
	}
	for _, s := range job.Secrets {
		v.once(seen, s.Module.String(), "The secret", s.Name, s.Path)
	}
}

func (v *validator) length(what, name string, at Path) {
	if len(name) > maxName {
		v.report(NameTooLong, at.Attr("name"), "%s has a name with %d characters. Use at most %d.", what, len(name), maxName)
	}
}

// once returns true for a new name in the group, and reports a duplicate.
// Different groups may contain the same name.
func (v *validator) once(seen map[string]Path, group, what, name string, at Path) bool {
	before, twice := seen[group+"."+name]
	if !twice {
		seen[group+"."+name] = at
		return true
	}
	v.report(DuplicateDeclaration, at, "%s %q is declared twice%s. Rename or remove one.", what, name, v.where(before))
	return false
}

// where returns a phrase with a position, or "" for an unknown position. The
// position of a Terraform attribute has no line number.
func (v *validator) where(at Path) string {
	rng := v.ws.Sources.Range(at)
	if rng.Filename == "" {
		return ""
	}
	if rng.Start.Line == 0 {
		return ", first at " + rng.Filename
	}
	return ", first at " + rng.Filename + ":" + strconv.Itoa(rng.Start.Line)
}

func (v *validator) prerequisiteNames(job *Job) {
	byName := map[string]*Prerequisite{}
	byAddress := map[string]Path{}
	for _, p := range append(append([]*Prerequisite{}, job.Prerequisites...), job.ReferencePrerequisites...) {
		if p.Name == "" || !v.once(byAddress, p.Type, "The "+p.Type+" prerequisite", p.Name, p.Path.Attr("name")) {
			continue
		}
		if other := byName[p.Name]; other != nil && other.Type != p.Type {
			v.report(SameNameTwoTypes, p.Path.Attr("name"), "The name %q is used by both a %s prerequisite and a %s prerequisite%s. Rename one of them.",
				p.Name, p.Type, other.Type, v.where(other.Path))
			continue
		}
		byName[p.Name] = p
	}
}

// roleNames checks task role names before and after the conversion for the
// Framework. The conversion changes letters to lower case and keeps only
// letters and digits. Source: microsoft/pai:
// src/rest-server/src/models/v2/utils/name.js.
func (v *validator) roleNames(job *Job) {
	inFramework := map[string]*TaskRole{}
	for _, r := range job.TaskRoles {
		if !roleName.MatchString(r.Name) {
			v.report(InvalidTaskRoleName, r.Path, "The task role name %q must contain only letters, digits and underscores, and must not begin with a digit.", r.Name)
			continue
		}
		short := contract.RoleName(r.Name)
		other := inFramework[short]
		switch {
		case short == "":
			v.report(InvalidRoleName, r.Path, "The task role name %q must contain a letter or digit. The cluster removes all other characters.", r.Name)
		case len(short) > maxRoleName:
			v.report(InvalidRoleName, r.Path, "The task role name %q has %d letters and digits. Use at most %d.", r.Name, len(short), maxRoleName)
		case other != nil:
			v.report(InvalidRoleName, r.Path, "The task roles %q and %q have the same name %q on the cluster, because the cluster's names contain only lower-case letters and digits. Rename one of them.", other.Name, r.Name, short)
		}
		inFramework[short] = r
	}
}
