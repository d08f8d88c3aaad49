package resolve

import (
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// UsesSSH reports whether the tasks of the role have an ssh service.
func (r *TaskRole) UsesSSH() bool {
	return slices.ContainsFunc(r.Steps, func(s *Step) bool { return s.Plugin == contract.PluginSSH })
}

// UsesSSH reports whether some task of the job has an ssh service, for which a
// key is made at apply.
func (j *Job) UsesSSH() bool { return slices.ContainsFunc(j.TaskRoles, (*TaskRole).UsesSSH) }
