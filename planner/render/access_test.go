// SPDX-License-Identifier: MPL-2.0

package render

import (
	"slices"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestOnlyInitContainersOfGangsGetAToken(t *testing.T) {
	t.Parallel()
	const own, none = true, false
	tests := map[string]struct {
		change  func(*resolve.Job, *Target)
		account string
		access  bool // hosts table and token
		role    bool // made for the job
	}{
		"a gang reads its own Framework":        {func(*resolve.Job, *Target) {}, contract.RuntimeAccount(sampleJob().Framework), true, own},
		"tasks that do not wait need no access": {func(j *resolve.Job, _ *Target) { j.GangAllocation = false }, "", false, none},
		"a single task does not wait": {func(j *resolve.Job, _ *Target) {
			j.TaskRoles = j.TaskRoles[1:]
		}, "", false, none},
		"a gang that may grow waits":         {func(j *resolve.Job, _ *Target) { j.TaskRoles, j.Rescale = j.TaskRoles[1:], "in_place" }, contract.RuntimeAccount(sampleJob().Framework), true, own},
		"an existing account of the cluster": {func(_ *resolve.Job, t *Target) { t.ServiceAccount = "jobs" }, "jobs", true, none},
		"an existing account of the roles": {func(j *resolve.Job, _ *Target) {
			for _, r := range j.TaskRoles {
				r.Pod = &hclspec.Pod{ServiceAccount: "mine"}
			}
		}, "mine", true, none},
		"no API server on this machine": {func(_ *resolve.Job, t *Target) { t.Local = true }, "", false, none},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			job, target := sampleJob(), sampleTarget()
			tt.change(job, &target)
			m, diags := Objects(job, target)
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			for _, role := range m.Framework.Spec.TaskRoles {
				spec := role.Task.Pod.Spec
				if spec.ServiceAccountName != tt.account || *spec.AutomountServiceAccountToken {
					t.Errorf("role %s: account %q, automount %t; want %q and no automount", role.Name, spec.ServiceAccountName, *spec.AutomountServiceAccountToken, tt.account)
				}
				if got := mounts(spec.InitContainers[0], volumeToken); got != tt.access {
					t.Errorf("role %s: the init container has a token: %t, want %t", role.Name, got, tt.access)
				}
				if mounts(spec.Containers[0], volumeToken) {
					t.Errorf("role %s: the user's container has a token", role.Name)
				}
			}
			if got := m.Access != nil; got != tt.access {
				t.Fatalf("access %t, want %t", got, tt.access)
			}
			if got := m.Access != nil && m.Access.Role != nil && m.Access.Account != nil && m.Access.RoleBinding != nil; got != tt.role {
				t.Errorf("own role %t, want %t", got, tt.role)
			}
		})
	}
}

func TestRoleReadsNothingElse(t *testing.T) {
	t.Parallel()
	m, _ := Objects(sampleJob(), sampleTarget())
	for _, rule := range m.Access.Role.Rules {
		if len(rule.ResourceNames) != 1 {
			t.Errorf("a rule is not limited to one object: %+v", rule)
		}
	}
}

func TestLogStorageIsMounted(t *testing.T) {
	t.Parallel()
	target := sampleTarget()
	target.LogStorage = &hclspec.Storage{Name: "logs", NFS: &hclspec.NFSVolume{Server: "nfs.example.org", Path: "/logs"}, OnDestroy: "delete"}
	m, diags := Objects(sampleJob(), target)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for _, role := range m.Framework.Spec.TaskRoles {
		for _, c := range append(role.Task.Pod.Spec.InitContainers, role.Task.Pod.Spec.Containers...) {
			if !mounts(c, volumeLogs) {
				t.Errorf("container %s of role %s keeps no logs", c.Name, role.Name)
			}
			if !slices.ContainsFunc(c.Env, func(v framework.EnvVar) bool { return v.Name == contract.EnvLogsStored }) {
				t.Errorf("container %s of role %s waits for readers of its log", c.Name, role.Name)
			}
		}
	}
	if got := m.Claims[0]; got.Metadata.Name != "vision-logs" || got.Metadata.Annotations[contract.AnnotationOnDestroy] != "delete" {
		t.Errorf("claim of the log storage: %+v", got.Metadata)
	}
}

func mounts(c framework.Container, volume string) bool {
	return slices.ContainsFunc(c.VolumeMounts, func(m framework.VolumeMount) bool { return m.Name == volume })
}
