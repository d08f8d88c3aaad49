// SPDX-License-Identifier: MPL-2.0

package render

import (
	"slices"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestTheKeyOfAJobIsForRolesWithSSH(t *testing.T) {
	t.Parallel()
	job := sampleJob()
	job.SSHPublicKeys = []string{"ssh-ed25519 AAAA alice"}
	job.TaskRoles[1].Steps = []*resolve.Step{{Plugin: contract.PluginSSH, Parameters: map[string]any{"sshbarrier": "True"}}}
	m, diags := Objects(job, sampleTarget())
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	stub := slices.IndexFunc(m.Secrets, func(s *framework.Secret) bool { return s.Metadata.Name == contract.JobSecret(job.Framework) })
	if value, has := m.Secrets[stub].StringData[contract.SecretJobKey]; !has || value != "" {
		t.Errorf("stub %+v", m.Secrets[stub].StringData)
	}
	for i, want := range []bool{false, true} {
		role := m.Framework.Spec.TaskRoles[i]
		mounted := false
		for _, v := range role.Task.Pod.Spec.Volumes {
			mounted = mounted || v.Secret != nil && slices.ContainsFunc(v.Secret.Items, func(k framework.KeyToPath) bool { return k.Key == contract.SecretJobKey })
		}
		spec := RunSpec(job, job.TaskRoles[i])
		if mounted != want || slices.Contains(spec.Secrets, contract.SecretJobKey) != want {
			t.Errorf("%s: mounted %v, named %v", role.Name, mounted, spec.Secrets)
		}
		if !slices.Equal(spec.SSHPublicKeys, job.SSHPublicKeys) {
			t.Errorf("%s: keys %v", role.Name, spec.SSHPublicKeys)
		}
		if r := spec.Roles; r[0].SSH || r[0].SSHBarrier || !r[1].SSH || !r[1].SSHBarrier {
			t.Errorf("%s: roles %+v", role.Name, r)
		}
	}
}

// A role that a barrier lists must also wait at that barrier.
func TestARoleThatABarrierNamesWaitsToo(t *testing.T) {
	t.Parallel()
	job := sampleJob()
	input := map[string]any{"jobssh": true}
	job.TaskRoles[0].Steps = []*resolve.Step{{Plugin: contract.PluginSSH, Parameters: map[string]any{"sshbarrier": []any{job.TaskRoles[0].Name, job.TaskRoles[1].Name}}}}
	job.TaskRoles[1].Steps = []*resolve.Step{{Plugin: contract.PluginCmd}, {Plugin: contract.PluginSSH, Parameters: input}}
	named := RunSpec(job, job.TaskRoles[1])
	if !named.Roles[0].SSHBarrier || !named.Roles[1].SSHBarrier || named.Steps[1].Parameters["sshbarrier"] != true {
		t.Errorf("roles %+v, parameters %v", named.Roles, named.Steps[1].Parameters)
	}
	if len(input) != 1 {
		t.Errorf("the resolved job was changed: %v", input)
	}
	if own := RunSpec(job, job.TaskRoles[0]); own.Steps[0].Parameters["sshbarrier"] == true {
		t.Errorf("parameters %v", own.Steps[0].Parameters)
	}
}
