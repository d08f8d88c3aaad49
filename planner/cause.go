// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"strconv"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// setCauses sets the cause of each changed field. was is the applied job, or
// nil.
func setCauses(fields []FieldChange, wanted, was *resolve.Job) {
	for i := range fields {
		fields[i].Cause = cause(fields[i].Path, wanted, was)
	}
}

// setClusterCause sets the cluster block as the cause of changed HiveD fields
// if the scheduler changed. All jobs on the cluster share that block.
func setClusterCause(c *Change, s SchedulerChange) {
	for i, f := range c.Fields {
		if s != "" && isHived(f.Path) {
			c.Fields[i].Cause = hclspec.NewAddress("cluster", c.Cluster)
		}
	}
}

// cause returns the declaration that sets field p, or "" if other jobs cannot
// share the declaration.
func cause(p hclspec.Path, wanted, was *resolve.Job) hclspec.Address {
	role, field, ok := inTaskRole(p)
	if !ok {
		return ""
	}
	if key, within := elementKey(field, "prerequisites"); within {
		declaration, _, _ := strings.Cut(key, "{") // without the values of template variables
		return absolute(hclspec.Address(declaration), role, wanted, was)
	}
	if strings.HasPrefix(field, "image.") {
		return imageCause(role, wanted, was)
	}
	if mount, within := elementKey(field, "storage"); within {
		return storageCause(field, mount, role, wanted, was)
	}
	return ""
}

// absolute returns the absolute address of a prerequisite. Field paths contain
// addresses relative to the job's module.
func absolute(relative hclspec.Address, role string, jobs ...*resolve.Job) hclspec.Address {
	for _, job := range jobs {
		if r := taskRole(job, role); r != nil && job.Address.Module() != "" {
			inModule := relative.In(job.Address.Module())
			for _, step := range r.Steps {
				if hclspec.Address(step.Address).Matches(inModule) {
					return inModule
				}
			}
		}
	}
	return relative
}

// imageCause returns the dockerimage prerequisite of a task role. It returns "" if
// the role is new, was removed, or used a different prerequisite before.
func imageCause(role string, wanted, was *resolve.Job) hclspec.Address {
	before, after := taskRole(was, role), taskRole(wanted, role)
	if before == nil || after == nil || before.Image.Address != after.Image.Address {
		return ""
	}
	return hclspec.Address(after.Image.Address)
}

// storageCause returns the storage of a mount if the storage's declaration
// changed. The storage is not the cause of a changed setting of the mount,
// such as read_only.
func storageCause(field, path, role string, wanted, was *resolve.Job) hclspec.Address {
	before, after := mount(was, role, path), mount(wanted, role, path)
	ofMount := strings.HasSuffix(field, `"].read_only`) || strings.HasSuffix(field, `"].sub_path`)
	if before == nil || after == nil || before.Storage != after.Storage || ofMount {
		return ""
	}
	return mountedStorage(after)
}

// inTaskRole splits the path of a task role field into the role and the rest.
func inTaskRole(p hclspec.Path) (role, field string, ok bool) {
	role, ok = elementKey(string(p), "task_role")
	if !ok {
		return "", "", false
	}
	field, ok = strings.CutPrefix(string(p), "task_role["+strconv.Quote(role)+"].")
	return role, field, ok
}

func taskRole(job *resolve.Job, name string) *resolve.TaskRole {
	if job == nil {
		return nil
	}
	for _, role := range job.TaskRoles {
		if role.Name == name {
			return role
		}
	}
	return nil
}

func mount(job *resolve.Job, role, path string) *resolve.Mount {
	r := taskRole(job, role)
	if r == nil {
		return nil
	}
	for _, m := range r.Mounts {
		if m.Path == path {
			return m
		}
	}
	return nil
}
