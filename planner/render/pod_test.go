// SPDX-License-Identifier: MPL-2.0

package render

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestRetryPoliciesFollowTheJob(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		gang                bool
		jobRetries, retries int
		job, task           framework.RetryPolicy
	}{
		"single tasks of a gang are not retried":                          {true, 3, 5, framework.RetryPolicy{FancyRetryPolicy: true, MaxRetryCount: 3}, framework.RetryPolicy{}},
		"tasks without a gang are retried":                                {false, 0, 5, framework.RetryPolicy{FancyRetryPolicy: true}, framework.RetryPolicy{FancyRetryPolicy: true, MaxRetryCount: 5}},
		"a job that always retries has no fancy retry policy":             {true, -2, 0, framework.RetryPolicy{MaxRetryCount: -2}, framework.RetryPolicy{}},
		"a job that retries until it succeeds has the fancy retry policy": {true, -1, 0, framework.RetryPolicy{FancyRetryPolicy: true, MaxRetryCount: -1}, framework.RetryPolicy{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			job := plainJob()
			job.GangAllocation, job.JobRetryCount, job.TaskRoles[0].TaskRetryCount = tt.gang, tt.jobRetries, tt.retries
			m, _ := Objects(job, sampleTarget())
			if diff := cmp.Diff(tt.job, m.Framework.Spec.RetryPolicy); diff != "" {
				t.Errorf("job (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(tt.task, m.Framework.Spec.TaskRoles[0].Task.RetryPolicy); diff != "" {
				t.Errorf("task (-want +got)\n%s", diff)
			}
		})
	}
}

func TestTheDeadlineOfAPodIncludesTheWait(t *testing.T) {
	t.Parallel()
	job := plainJob()
	role := job.TaskRoles[0]
	role.MaxRunSeconds, role.StopGraceSeconds, job.MaxWaitSeconds = 100, 30, 600
	for gang, want := range map[bool]int64{true: 740, false: 140} {
		job.GangAllocation = gang
		m, _ := Objects(job, sampleTarget())
		if got := *m.Framework.Spec.TaskRoles[0].Task.Pod.Spec.ActiveDeadlineSeconds; got != want {
			t.Errorf("gang %t: deadline %d, want %d", gang, got, want)
		}
	}
	role.MaxRunSeconds = 0
	m, _ := Objects(job, sampleTarget())
	if got := m.Framework.Spec.TaskRoles[0].Task.Pod.Spec.ActiveDeadlineSeconds; got != nil {
		t.Errorf("deadline %d without max_run_time", *got)
	}
}

func TestPodSettingsOfTheRoleWin(t *testing.T) {
	t.Parallel()
	gpu := map[string]any{"key": "gpu", "operator": "Exists"}
	job, target := plainJob(), sampleTarget()
	target.Pod = &hclspec.Pod{PriorityClass: "low", NodeSelector: map[string]string{"a": "1", "b": "1"}, Tolerations: []any{gpu}, ImagePullSecrets: []string{"x"}}
	job.Pod = &hclspec.Pod{PriorityClass: "mid", NodeSelector: map[string]string{"b": "2"}, Tolerations: []any{gpu}, ServiceAccount: "s"}
	job.TaskRoles[0].Pod = &hclspec.Pod{PriorityClass: "high", ImagePullSecrets: []string{"x", "y"}}
	m, diags := Objects(job, target)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	spec := m.Framework.Spec.TaskRoles[0].Task.Pod.Spec
	got := framework.PodSpec{
		PriorityClassName: spec.PriorityClassName, ServiceAccountName: spec.ServiceAccountName,
		NodeSelector: spec.NodeSelector, Tolerations: spec.Tolerations, ImagePullSecrets: spec.ImagePullSecrets,
	}
	want := framework.PodSpec{
		PriorityClassName: "high", ServiceAccountName: "s",
		NodeSelector: map[string]string{"a": "1", "b": "2"}, Tolerations: []any{gpu}, ImagePullSecrets: []framework.LocalReference{{Name: "x"}, {Name: "y"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Pod (-want +got)\n%s", diff)
	}
	if target.Pod.NodeSelector["b"] != "1" {
		t.Error("rendering changed the settings of the cluster")
	}
}

// TestStandardProfileIsBaseline checks that Pods with the standard profile
// meet the Pod security level "baseline". See
// https://kubernetes.io/docs/concepts/security/pod-security-standards/.
func TestStandardProfileIsBaseline(t *testing.T) {
	t.Parallel()
	job := sampleJob()
	job.TaskRoles[0].Mounts = job.TaskRoles[0].Mounts[:2] // without the host path
	m, _ := Objects(job, sampleTarget())
	for _, role := range m.Framework.Spec.TaskRoles {
		spec := role.Task.Pod.Spec
		if spec.HostNetwork || spec.AutomountServiceAccountToken == nil || *spec.AutomountServiceAccountToken {
			t.Errorf("role %s uses the host's network or mounts a token", role.Name)
		}
		for _, v := range spec.Volumes {
			if v.HostPath != nil {
				t.Errorf("role %s mounts %s of the host", role.Name, v.HostPath.Path)
			}
		}
		for _, c := range append(spec.InitContainers, spec.Containers...) {
			if c.SecurityContext != nil {
				t.Errorf("container %s of role %s requests capabilities", c.Name, role.Name)
			}
			if _, fuse := c.Resources.Limits["github.com/fuse"]; fuse {
				t.Errorf("role %s needs a fuse device", role.Name)
			}
		}
		for key := range role.Task.Pod.Metadata.Annotations {
			if key == "container.apparmor.security.beta.kubernetes.io/app" {
				t.Errorf("role %s is unconfined", role.Name)
			}
		}
	}
}

func TestEachRoleSeesItsOwnSecretsOnly(t *testing.T) {
	t.Parallel()
	job := sampleJob()
	job.TaskRoles[1].Secrets = []string{"other"}
	m, _ := Objects(job, sampleTarget())
	for i, want := range []string{"token", "other"} {
		for _, v := range m.Framework.Spec.TaskRoles[i].Task.Pod.Spec.Volumes {
			if v.Secret == nil || v.Name == volumeLogins {
				continue
			}
			if len(v.Secret.Items) != 1 || v.Secret.Items[0].Key != want || *v.Secret.DefaultMode != 0o400 {
				t.Errorf("role %d mounts %+v, want only %s", i, v.Secret, want)
			}
		}
	}
}

func TestLoginsOfRegistriesAreInTheInitContainerOnly(t *testing.T) {
	t.Parallel()
	m, _ := Objects(sampleJob(), sampleTarget())
	for i, want := range []int{1, 0} { // only the image of the first role has registry credentials
		spec := m.Framework.Spec.TaskRoles[i].Task.Pod.Spec
		mounts := func(c framework.Container) (n int) {
			for _, m := range c.VolumeMounts {
				if m.Name == volumeLogins {
					n++
				}
			}
			return n
		}
		if got := mounts(spec.InitContainers[0]); got != want {
			t.Errorf("role %d: init mounts them %d times, want %d", i, got, want)
		}
		if got := mounts(spec.Containers[0]); got != 0 {
			t.Errorf("role %d: the task mounts them", i)
		}
	}
}

// In OpenPAI, a different runtime image requires a change to the rest-server, and
// every task pulls the image.
func TestTheRuntimeImageIsChosenAndKeptOnTheNode(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		target        Target
		image, policy string
	}{
		"a custom image": {Target{RuntimeImage: "registry.example.org/mine@sha256:ab"}, "registry.example.org/mine@sha256:ab", "IfNotPresent"},
		"another policy": {Target{RuntimeImage: "example.org/a:1", PullPolicy: "Always"}, "example.org/a:1", "Always"},
	} {
		job := sampleJob()
		job.TaskRoles = []*resolve.TaskRole{serveRole()}
		m, diags := Objects(job, c.target)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		for _, role := range m.Framework.Spec.TaskRoles {
			init := role.Task.Pod.Spec.InitContainers[0]
			if init.Image != c.image || init.ImagePullPolicy != c.policy {
				t.Errorf("%s: %s %s", name, init.Image, init.ImagePullPolicy)
			}
		}
	}
}
