// SPDX-License-Identifier: MPL-2.0

package policy

import (
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// subject is the plan, or a part of the plan, that a policy checks.
type subject struct {
	// Description of the subject, for example "task role worker of
	// job.train".
	what string
	// change is the index of the subject's change, or -1 for the plan.
	change int
	action planner.Action
	// path is the path of the declaration, or "" if unknown.
	path  hclspec.Path
	value cty.Value
}

// judged reports whether a policy without "when" applies: to the plan, and to
// changes that create, update or replace a job.
func (s *subject) judged() bool {
	return s.change < 0 || s.action == planner.Create || s.action == planner.Update || s.action == planner.Replace
}

func (j *judgment) subjects(forEach string) []*subject {
	if known, ok := j.listed[forEach]; ok {
		return known
	}
	var all []*subject
	if forEach == "plan" {
		all = []*subject{{what: "the plan", change: -1, value: j.plan}}
	} else {
		for i, c := range j.source.Changes {
			all = append(all, j.subjectsOf(forEach, i, c)...)
		}
	}
	j.listed[forEach] = all
	return all
}

func (j *judgment) subjectsOf(forEach string, i int, c *planner.Change) []*subject {
	whole := &subject{what: c.Address.String(), change: i, action: c.Action, path: jobPath(c), value: j.changes[i]}
	switch {
	case forEach == "changes":
		return []*subject{whole}
	case c.Job == nil:
		return nil
	case forEach == "jobs":
		whole.value = whole.value.GetAttr("job")
		return []*subject{whole}
	case forEach == "task_roles":
		return taskRoles(whole, c.Job)
	case forEach == "prerequisites":
		return j.prerequisites(whole, c.Job)
	}
	return storages(whole, c.Job)
}

func jobPath(c *planner.Change) hclspec.Path {
	if c.Job == nil || c.Job.Declared == nil {
		return ""
	}
	return c.Job.Declared.Path
}

// rolePath returns the path of the role's declaration, or of the job's
// declaration if the job does not declare the role.
func rolePath(job *resolve.Job, name string) hclspec.Path {
	if job.Declared == nil {
		return ""
	}
	for _, role := range job.Declared.TaskRoles {
		if role.Name == name {
			return role.Path
		}
	}
	return job.Declared.Path
}

// part returns a subject inside a job.
func (s *subject) part(what string, path hclspec.Path, value cty.Value) *subject {
	return &subject{what: what + " of " + s.what, change: s.change, action: s.action, path: path, value: value}
}

func taskRoles(whole *subject, job *resolve.Job) []*subject {
	values := whole.value.GetAttr("job").GetAttr("task_roles")
	all := make([]*subject, len(job.TaskRoles))
	for i, role := range job.TaskRoles {
		all[i] = whole.part("task role "+role.Name, rolePath(job, role.Name), values.Index(cty.NumberIntVal(int64(i))))
	}
	return all
}

// prerequisites returns each prerequisite instance and image of a job once. The
// attribute "task_roles" contains the names of the roles that use it.
func (j *judgment) prerequisites(whole *subject, job *resolve.Job) []*subject {
	var all []*subject
	places := map[string]int{}
	var steps []*resolve.Step
	var roles [][]string
	add := func(step *resolve.Step, role string) {
		at, known := places[step.Address]
		if !known {
			at = len(steps)
			places[step.Address] = at
			steps, roles = append(steps, step), append(roles, nil)
		}
		if !slices.Contains(roles[at], role) {
			roles[at] = append(roles[at], role)
		}
	}
	for _, role := range job.TaskRoles {
		add(imageStep(role.Image), role.Name)
		for _, step := range role.Steps {
			add(step, role.Name)
		}
	}
	for i, step := range steps {
		all = append(all, whole.part(step.Address, j.prerequisitePath(job, step), withRoles(valueOf(step), roles[i])))
	}
	return all
}

// imageStep returns an image as a prerequisite.
func imageStep(image resolve.Image) *resolve.Step {
	address := image.Address
	if address == "" {
		address = "image " + image.URI
	}
	return &resolve.Step{Address: address, Type: "dockerimage", Plugin: "docker", URI: []string{image.URI}}
}

func withRoles(value cty.Value, roles []string) cty.Value {
	attributes := maps.Clone(value.AsValueMap())
	attributes["task_roles"] = valueOf(roles)
	return cty.ObjectVal(attributes)
}

// prerequisitePath returns the path of a prerequisite declaration in the job
// or at the top level. Otherwise, it returns the path of the job declaration.
func (j *judgment) prerequisitePath(job *resolve.Job, step *resolve.Step) hclspec.Path {
	if job.Declared == nil {
		return ""
	}
	for _, p := range job.Declared.Prerequisites {
		if p.Address().String() == step.Address || p.Type == step.Type && p.Name == step.Name {
			return p.Path
		}
	}
	if path := hclspec.Path(step.Address); j.sources[path].Filename != "" {
		return path
	}
	return job.Declared.Path
}

// mount is a mount of a storage in a job. TaskRoles lists the task roles that
// have this mount.
type mount struct {
	Name      string   `json:"name"`
	MountPath string   `json:"mount_path"`
	ReadOnly  bool     `json:"read_only"`
	SubPath   string   `json:"sub_path"`
	Kind      string   `json:"kind"` // kind of the storage: host_path, claim, nfs, …; claim if undeclared
	HostPath  string   `json:"host_path"`
	Server    string   `json:"server"`
	TaskRoles []string `json:"task_roles"`
}

func storages(whole *subject, job *resolve.Job) []*subject {
	var mounts []*mount
	var paths []hclspec.Path
	for _, role := range job.TaskRoles {
		for _, m := range role.Mounts {
			one := mountOf(m)
			at := slices.IndexFunc(mounts, func(o *mount) bool {
				return o.Name == one.Name && o.MountPath == one.MountPath && o.SubPath == one.SubPath && o.ReadOnly == one.ReadOnly
			})
			if at < 0 {
				at = len(mounts)
				mounts, paths = append(mounts, one), append(paths, storagePath(job, role.Name, m))
			}
			mounts[at].TaskRoles = append(mounts[at].TaskRoles, role.Name)
		}
	}
	all := make([]*subject, len(mounts))
	for i, m := range mounts {
		all[i] = whole.part("storage "+m.Name, paths[i], valueOf(m))
	}
	return all
}

func storagePath(job *resolve.Job, role string, m *resolve.Mount) hclspec.Path {
	if m.Declared != nil && m.Declared.Path != "" {
		return m.Declared.Path
	}
	return rolePath(job, role)
}

func mountOf(m *resolve.Mount) *mount {
	out := &mount{Name: m.Storage, MountPath: m.Path, ReadOnly: m.ReadOnly, SubPath: m.SubPath, Kind: "claim"}
	if m.Declared != nil {
		out.Kind, out.HostPath = m.Declared.Kind(), m.Declared.HostPath
		if m.Declared.NFS != nil {
			out.Server = m.Declared.NFS.Server
		}
	}
	return out
}
