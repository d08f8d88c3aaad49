// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/template"
)

// UsesSSH reports whether the tasks of the role have an ssh service.
func (r *TaskRole) UsesSSH() bool {
	return slices.ContainsFunc(r.Steps, func(s *Step) bool { return s.Plugin == contract.PluginSSH })
}

// UsesSSH reports whether any task of the job has an ssh service. Apply
// creates a key for such a job.
func (j *Job) UsesSSH() bool { return slices.ContainsFunc(j.TaskRoles, (*TaskRole).UsesSSH) }

// SSHBarrier returns the Framework names of task roles that wait for each
// other's ssh service. A role with a barrier waits. A role with an ssh
// service waits if another role's barrier lists it.
func (j *Job) SSHBarrier() map[string]bool {
	waiting := map[string]bool{}
	for _, role := range j.TaskRoles {
		for _, s := range role.Steps {
			p := s.sshParameters()
			if !p.Barrier {
				continue
			}
			waiting[role.FrameworkName] = true
			for _, other := range j.TaskRoles {
				named := slices.ContainsFunc(p.BarrierRoles, func(name string) bool { return sameRole(name, other.Name) })
				if named && other.UsesSSH() {
					waiting[other.FrameworkName] = true
				}
			}
		}
	}
	return waiting
}

// HasSSHBarrier reports whether the step itself waits for the ssh services of
// other tasks.
func (s *Step) HasSSHBarrier() bool { return s.sshParameters().Barrier }

// sshParameters returns empty parameters for steps of other plugins.
func (s *Step) sshParameters() contract.SSHParameters {
	if s.Plugin != contract.PluginSSH {
		return contract.SSHParameters{}
	}
	p, _ := contract.ReadSSHParameters(withoutSecrets(s.Parameters))
	return p
}

// checkSSHParameters reports invalid parameters of an ssh plugin. In jobs
// written for OpenPAI, invalid parameters cause only a warning and have no
// effect, as in OpenPAI.
func (t *renderer) checkSSHParameters(s *Step, path hclspec.Path) {
	if s.Plugin != contract.PluginSSH {
		return
	}
	p, problems := contract.ReadSSHParameters(withoutSecrets(s.Parameters))
	for _, problem := range problems {
		at, name := path, problem.Path[len(problem.Path)-1]
		for _, key := range problem.Path {
			at = at.Key(key)
		}
		if problem.Want == "" {
			t.reportSSHParameter(at, "%s has the unknown parameter %q; valid parameters are %s.%s", s.Address, name, hclspec.QuoteList(problem.Known, ""), hclspec.Suggest(name, problem.Known))
			continue
		}
		t.reportSSHParameter(at, "The parameter %q of %s must be %s.", strings.Join(problem.Path, "."), s.Address, problem.Want)
	}
	for i, name := range p.BarrierRoles {
		if !slices.ContainsFunc(t.role.roles, func(role string) bool { return sameRole(name, role) }) {
			t.reportSSHParameter(path.Key(contract.SSHBarrier).Index(i), "%q of %s refers to the task role %q, but the job declares %s.%s",
				contract.SSHBarrier, s.Address, name, hclspec.QuoteList(t.role.roles, "none"), hclspec.Suggest(name, t.role.roles))
		}
	}
}

func (t *renderer) reportSSHParameter(at hclspec.Path, format string, args ...any) {
	t.reportAt(t.severity(InvalidPluginParameter, IgnoredPluginParameter), t.sources.Range(at), format, args...)
}

// checkSSHGang warns about ssh parameters that require the list of hosts.
// Only gangs have this list.
func (r *resolver) checkSSHGang(job *Job) {
	if job.GangAllocation {
		return
	}
	for _, role := range job.TaskRoles {
		for _, s := range role.Steps {
			if p := s.sshParameters(); p.JobSSH || p.Barrier {
				r.report(SSHWithoutGang, r.job.Path.Attr("gang_allocation"),
					"%s uses the ssh plugin with jobssh or sshbarrier, which have no effect without gang allocation.", job.Address)
				return
			}
		}
	}
}

// withoutSecrets omits the parameters that refer to secrets, because secret
// values are known only in the task.
func withoutSecrets(parameters map[string]any) map[string]any {
	known := map[string]any{}
	for name, value := range parameters {
		switch v := value.(type) {
		case map[string]any:
			known[name] = withoutSecrets(v)
		case string:
			if len(template.Tags(v)) == 0 {
				known[name] = v
			}
		default:
			known[name] = v
		}
	}
	return known
}
