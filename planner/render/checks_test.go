// SPDX-License-Identifier: MPL-2.0

package render

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestProblemsOfManifestsAreReportedExceptLocally(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 70)
	pod := func(p hclspec.Pod) func(*resolve.Job, *Target) {
		return func(job *resolve.Job, _ *Target) { job.TaskRoles[0].Pod = &p }
	}
	tests := map[string]struct {
		change func(*resolve.Job, *Target)
		want   *hclspec.Entry
		detail string
	}{
		"a development build has no runtime image": {
			func(_ *resolve.Job, target *Target) { target.RuntimeImage = "" },
			MissingRuntimeImage, "advice:runtime-image",
		},
		"a run specification that exceeds a ConfigMap": {
			func(job *resolve.Job, _ *Target) { job.TaskRoles[0].Commands = []string{strings.Repeat("a", 1<<20)} },
			RunSpecTooLarge, `task role "serve" of job "mnist" has 1049040 bytes; a ConfigMap can contain at most 1048566`,
		},
		"a resolved job that exceeds a ConfigMap": {
			func(job *resolve.Job, _ *Target) { job.Description = strings.Repeat("a", 1<<20) },
			ResolvedJobOmitted, "has 1049",
		},
		"a long protocol text is omitted": {
			func(_ *resolve.Job, target *Target) { target.Config = strings.Repeat("a", 200_001) },
			ConfigOmitted, "200001 bytes",
		},
		"annotations of the Pods that Kubernetes rejects": {
			pod(hclspec.Pod{Annotations: map[string]string{"a": strings.Repeat("a", 256<<10)}}),
			AnnotationsTooLarge, "the Pods of job",
		},
		"a label with an invalid key": {
			pod(hclspec.Pod{Labels: map[string]string{"team name": "vision"}}),
			InvalidKubernetesName, `A label key of task role "serve" is "team name", which Kubernetes rejects: name part must`,
		},
		"an annotation with an invalid key": {
			pod(hclspec.Pod{Annotations: map[string]string{"a/b/c": "x"}}),
			InvalidKubernetesName, `An annotation key of task role "serve" is "a/b/c"`,
		},
		"a node selector with an invalid key": {
			pod(hclspec.Pod{NodeSelector: map[string]string{"/sku": "K80"}}),
			InvalidKubernetesName, `A node_selector key of task role "serve" is "/sku"`,
		},
		"a toleration with an invalid key": {
			pod(hclspec.Pod{Tolerations: []any{map[string]any{"key": "gpu only", "operator": "Exists"}}}),
			InvalidKubernetesName, `A toleration key of task role "serve" is "gpu only"`,
		},
		"a PriorityClass with an invalid name": {
			pod(hclspec.Pod{PriorityClass: "High"}),
			InvalidKubernetesName, `The priority_class of task role "serve" is "High"`,
		},
		"a ServiceAccount with an invalid name": {
			pod(hclspec.Pod{ServiceAccount: "team_a"}),
			InvalidKubernetesName, `The service_account of task role "serve" is "team_a"`,
		},
		"a registry login with an invalid name": {
			pod(hclspec.Pod{ImagePullSecrets: []string{"login", "Login"}}),
			InvalidKubernetesName, `An element of image_pull_secrets of task role "serve" is "Login"`,
		},
		"a toleration with a wrong field": {
			pod(hclspec.Pod{Tolerations: []any{map[string]any{"keys": "x"}}}),
			InvalidToleration, `Did you mean "key"?`,
		},
		"a toleration that is a string": {
			pod(hclspec.Pod{Tolerations: []any{"gpu"}}),
			InvalidToleration, "must be an object",
		},
		"a toleration with an unknown operator": {
			pod(hclspec.Pod{Tolerations: []any{map[string]any{"key": "gpu", "operator": "exists"}}}),
			InvalidToleration, `has the invalid operator "exists"; valid values are Equal, Exists.`,
		},
		"a toleration with an invalid effect": {
			pod(hclspec.Pod{Tolerations: []any{map[string]any{"operator": "Exists", "effect": "NoScheduling"}}}),
			InvalidToleration, `Did you mean "NoSchedule"?`,
		},
		"a node selector with an invalid label value": {
			pod(hclspec.Pod{NodeSelector: map[string]string{"zone": "north & south"}}),
			InvalidLabel, `node_selector "zone"`,
		},
		"a secret with the name of a parent directory": {
			func(job *resolve.Job, _ *Target) { job.TaskRoles[0].Secrets = []string{"..token"} },
			InvalidSecretName, `the secret "..token"`,
		},
		"a label value that is too long": {
			pod(hclspec.Pod{Labels: map[string]string{"team": long}}),
			InvalidLabel, `"team"`,
		},
		"a label of OpenPAI": {
			pod(hclspec.Pod{Labels: map[string]string{"userName": "bob"}}),
			ReservedPodKey, `label "userName"`,
		},
		"an annotation of OpenPAI": {
			pod(hclspec.Pod{Annotations: map[string]string{"rest-server/port-scheduling-spec": "{}"}}),
			ReservedPodKey, `annotation "rest-server/port-scheduling-spec"`,
		},
		"a relative host path": {
			func(job *resolve.Job, _ *Target) {
				job.TaskRoles[0].Mounts = []*resolve.Mount{{Storage: "out", Path: "/out", Declared: &hclspec.Storage{Name: "out", HostPath: "out"}}}
			},
			RelativeHostPath, `"out"`,
		},
		"an absolute host path is only a warning": {
			func(job *resolve.Job, _ *Target) {
				job.TaskRoles[0].Mounts = []*resolve.Mount{{Storage: "out", Path: "/out", Declared: &hclspec.Storage{Name: "out", HostPath: "/out"}}}
			},
			HostPathOnCluster, "/out on each node",
		},
		"a file of this machine": {
			func(job *resolve.Job, _ *Target) {
				job.TaskRoles[0].Steps = []*resolve.Step{{Address: "prerequisite.data.x", Fetch: []*resolve.Fetch{{URL: "data/x.csv"}, {URL: "https://example.org/x"}}}}
			},
			LocalFetchOnCluster, `prerequisite.data.x fetches the file "data/x.csv"`,
		},
		"a file outside the mounted storages": {
			func(job *resolve.Job, _ *Target) {
				job.TaskRoles[0].Mounts = []*resolve.Mount{{Storage: "nfs", Path: "/mnt/nfs"}}
				job.TaskRoles[0].Steps = []*resolve.Step{{Address: "prerequisite.data.x", Fetch: []*resolve.Fetch{{URL: "file:///mnt/nfs/x"}, {URL: "/mnt/nfsx"}}}}
			},
			LocalFetchOnCluster, `prerequisite.data.x fetches the file "/mnt/nfsx"`,
		},
		"a relative directory for downloads": {
			func(_ *resolve.Job, target *Target) { target.FetchCache = "cache" },
			RelativeHostPath, `has the relative fetch_cache "cache"`,
		},
		"a task role without a user, at the level restricted": {
			func(_ *resolve.Job, target *Target) { target.PodSecurity = "restricted" },
			PodNotRestricted, "does not specify a user",
		},
		"a task role that runs as root, at the level restricted": {
			func(job *resolve.Job, target *Target) {
				target.PodSecurity, job.TaskRoles[0].Pod = "restricted", &hclspec.Pod{RunAsUser: pointer(0)}
			},
			PodNotRestricted, "runs as root",
		},
		"a directory of the node, at the level restricted": {
			func(job *resolve.Job, target *Target) {
				target.PodSecurity = "restricted"
				job.TaskRoles[0].Mounts = []*resolve.Mount{{Storage: "out", Path: "/out", Declared: &hclspec.Storage{Name: "out", HostPath: "/out"}}}
			},
			PodNotRestricted, `mounts the storage "out", which is the node directory /out`,
		},
		"logs in a directory of the node, at the level restricted": {
			func(_ *resolve.Job, target *Target) {
				target.PodSecurity, target.LogStorage = "restricted", &hclspec.Storage{Name: "logs", HostPath: "/logs"}
			},
			PodNotRestricted, `mounts the storage "logs"`,
		},
		"a directory of the node for downloads, at the level restricted": {
			func(job *resolve.Job, target *Target) {
				target.PodSecurity, target.FetchCache = "restricted", "/cache"
				job.TaskRoles[0].Steps = []*resolve.Step{{Address: "prerequisite.data.x", Fetch: []*resolve.Fetch{{URL: "https://example.org/x"}}}}
			},
			PodNotRestricted, "Remove fetch_cache",
		},
		"the profile of OpenPAI, at the level restricted": {
			func(_ *resolve.Job, target *Target) {
				target.PodSecurity, target.Profile = "restricted", ProfileOpenPAI
			},
			PodNotRestricted, "the host network, capabilities, a node directory for logs",
		},
		"a secret whose name is not a valid key": {
			func(job *resolve.Job, _ *Target) { job.TaskRoles[0].Secrets = []string{"my secret"} },
			InvalidSecretName, `"my secret"`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			job, target := plainJob(), sampleTarget()
			tt.change(job, &target)
			m, diags := Objects(job, target)
			found := false
			for _, d := range diags {
				found = found || hclspec.Code(d) == tt.want.Code && strings.Contains(d.Detail, tt.detail)
			}
			if !found {
				t.Fatalf("diagnostics %v, want one %s that contains %q", diags.Errs(), tt.want.Code, tt.detail)
			}
			if (m == nil) != diags.HasErrors() {
				t.Error("errors and a manifest, or neither")
			}
			target.Local = true
			if _, diags := Objects(job, target); len(diags) > 0 {
				t.Errorf("the local cluster has no such limit: %v", diags)
			}
		})
	}
}

func plainJob() *resolve.Job {
	job := sampleJob()
	job.TaskRoles = job.TaskRoles[1:]
	job.Secrets = nil
	return job
}

func TestAllDiagnosticsAreReportedAtOnce(t *testing.T) {
	t.Parallel()
	job := plainJob()
	job.TaskRoles[0].Pod = &hclspec.Pod{Labels: map[string]string{"type": "x", "team": "-"}, Tolerations: []any{1}}
	_, diags := Objects(job, Target{})
	if len(diags) != 4 {
		t.Errorf("%d diagnostics, want 4: %v", len(diags), diags)
	}
}

// TestDiagnosticsNameTheirPlace checks that diagnostics have the positions of
// declared Pod settings. Settings in a resolved job have no positions.
func TestDiagnosticsNameTheirPlace(t *testing.T) {
	t.Parallel()
	line := func(n int) hcl.Range { return hcl.Range{Filename: "main.pai.hcl", Start: hcl.Pos{Line: n}} }
	settings := func(at hclspec.Path) *hclspec.Pod {
		return &hclspec.Pod{Path: at, Labels: map[string]string{"type": "x"}}
	}
	for name, c := range map[string]struct {
		declare func(*hclspec.Job, *Target)
		written hclspec.SourceMap
		want    hcl.Range
	}{
		"an entry": {
			func(job *hclspec.Job, _ *Target) { job.Pod = settings("job.pod") },
			hclspec.SourceMap{"job.pod": line(1), "job.pod.labels": line(2), `job.pod.labels["type"]`: line(3)}, line(3),
		},
		"settings whose entries have no position": {
			func(job *hclspec.Job, _ *Target) { job.Pod = settings("job.pod") }, hclspec.SourceMap{"job.pod": line(1)}, line(1),
		},
		"an entry of the cluster below settings of the job": {
			func(job *hclspec.Job, target *Target) {
				job.Pod, target.Pod = &hclspec.Pod{Path: "job.pod"}, settings("cluster.pod")
			},
			hclspec.SourceMap{"job.pod": line(1), `cluster.pod.labels["type"]`: line(9)}, line(9),
		},
		"the entry of the role takes precedence over the entry of the job": {
			func(job *hclspec.Job, _ *Target) {
				job.TaskRoles = []*hclspec.TaskRole{{Name: "serve", Pod: settings("role.pod")}}
				job.Pod = settings("job.pod")
			},
			hclspec.SourceMap{`job.pod.labels["type"]`: line(1), `role.pod.labels["type"]`: line(5)}, line(5),
		},
	} {
		job, target := plainJob(), sampleTarget()
		job.Declared, target.Sources = &hclspec.Job{}, c.written
		c.declare(job.Declared, &target)
		job.Pod = settings("") // as resolved
		_, diags := Objects(job, target)
		if len(diags) != 1 || diags[0].Subject == nil || *diags[0].Subject != c.want {
			t.Errorf("%s: diagnostics %v, want one at %v", name, diags, c.want)
		}
	}
}
