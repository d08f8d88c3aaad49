// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// sshJob returns a job with one ssh plugin for each argument. The first
// plugin applies only to the task role "w", the second to "v".
func sshJob(parameters ...map[string]any) *hclspec.Job {
	job := jobOf()
	job.TaskRoles[0].Name = "w"
	other := *job.TaskRoles[0]
	other.Name = "v"
	job.TaskRoles = append(job.TaskRoles, &other)
	for i, p := range parameters {
		job.Plugins = append(job.Plugins, &hclspec.Plugin{Name: "ssh", Parameters: p, TaskRoles: []string{job.TaskRoles[i].Name}, Path: "job.j.plugin.ssh"})
	}
	return job
}

func TestInvalidSSHParametersAreReported(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		parameters map[string]any
		change     func(*hclspec.Job)
		want       string
	}{
		"everything that there is": {map[string]any{
			"jobssh": true, "sshbarrier": "true", "sshbarrierTimeout": hclspec.Number("1.5"), "publicKeys": []any{"k"},
			"userssh": map[string]any{"type": "system", "value": "admin"}}, nil, ""},
		"values of secrets are not known": {map[string]any{"userssh": "<% $secrets.s %>", "jobssh": "<% $secrets.s %>"}, func(j *hclspec.Job) { j.Secrets = []*hclspec.Secret{{Name: "s"}} }, ""},
		"a misspelled name":               {map[string]any{"jobSSH": true}, nil, `invalid-plugin-parameter: plugin.ssh has the unknown parameter "jobSSH"; valid parameters are "jobssh", "publicKeys", "sshbarrier", "sshbarrierTimeout", "userssh". Did you mean "jobssh"?`},
		"a misspelled name in YAML":       {map[string]any{"jobSSH": true}, func(j *hclspec.Job) { protocol(j, j.TaskRoles[0]); j.TaskRoles = j.TaskRoles[:1] }, `ignored-plugin-parameter: plugin.ssh has the unknown parameter "jobSSH"; valid parameters are "jobssh", "publicKeys", "sshbarrier", "sshbarrierTimeout", "userssh". Did you mean "jobssh"?`},
		"a value that is not a bool":      {map[string]any{"jobssh": "yes"}, nil, `invalid-plugin-parameter: The parameter "jobssh" of plugin.ssh must be a bool.`},
		"a wrong type of keys":            {map[string]any{"userssh": map[string]any{"type": "admin"}}, nil, `invalid-plugin-parameter: The parameter "userssh.type" of plugin.ssh must be "custom", "system" or "none".`},
		"a barrier for an unknown role":   {map[string]any{"sshbarrier": []any{"w", "vv"}}, nil, `invalid-plugin-parameter: "sshbarrier" of plugin.ssh refers to the task role "vv", but the job declares "w", "v". Did you mean "v"?`},
		"no gang":                         {map[string]any{"jobssh": true}, func(j *hclspec.Job) { j.GangAllocation = false }, `ssh-without-gang: job.j uses the ssh plugin with jobssh or sshbarrier, which have no effect without gang allocation.`},
		"no gang, and only user keys":     {map[string]any{"userssh": "k"}, func(j *hclspec.Job) { j.GangAllocation = false }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			job := sshJob(c.parameters)
			if c.change != nil {
				c.change(job)
			}
			_, diags := All(Input{Workspace: workspace(nil, job)})
			var got []string
			for _, d := range diags {
				got = append(got, hclspec.Code(d)+": "+d.Detail)
			}
			if strings.Join(got, "\n") != c.want {
				t.Errorf("diagnostics\n%s\nwant\n%s", strings.Join(got, "\n"), c.want)
			}
		})
	}
}

func TestTheBarrierOfSSHHoldsForTheRolesItNames(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		parameters []map[string]any
		want       string
	}{
		"no barrier":                                         {[]map[string]any{{"jobssh": true}, {"jobssh": true}}, ""},
		"a barrier in one role":                              {[]map[string]any{{"sshbarrier": true}, {"jobssh": true}}, "w"},
		"a barrier that lists both roles":                    {[]map[string]any{{"sshbarrier": []any{"w", "v"}}, {"jobssh": true}}, "v w"},
		"a barrier that lists a role without an ssh service": {[]map[string]any{{"sshbarrier": []any{"v"}}}, "w"},
	} {
		job := resolveOne(t, workspace(nil, sshJob(c.parameters...)))
		if got := strings.Join(slices.Sorted(maps.Keys(job.SSHBarrier())), " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
