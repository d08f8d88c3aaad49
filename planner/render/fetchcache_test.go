// SPDX-License-Identifier: MPL-2.0

package render

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestOnlyTasksWithDownloadsMountTheFetchCache(t *testing.T) {
	t.Parallel()
	target := sampleTarget()
	target.FetchCache, target.FetchCacheMB = "/var/cache/openpai", 1024
	job := plainJob()
	if m, _ := Objects(job, target); usesCache(m) {
		t.Error("the Pod of a role without downloads mounts the cache")
	}
	job.TaskRoles[0].Steps = []*resolve.Step{{Address: "prerequisite.data.set", Fetch: []*resolve.Fetch{{URL: "https://example.org/set", To: "/data/set"}}}}
	if m, _ := Objects(job, sampleTarget()); usesCache(m) {
		t.Error("a cache volume exists without fetch_cache")
	}
	m, _ := Objects(job, target)
	pod := m.Framework.Spec.TaskRoles[0].Task.Pod.Spec
	var volumes []framework.Volume
	for _, v := range pod.Volumes {
		if v.Name == volumeFetches {
			volumes = append(volumes, v)
		}
	}
	want := []framework.Volume{{Name: volumeFetches, HostPath: &framework.HostPath{Path: "/var/cache/openpai", Type: "DirectoryOrCreate"}}}
	if diff := cmp.Diff(want, volumes); diff != "" {
		t.Errorf("volumes (-want +got)\n%s", diff)
	}
	got := map[string]string{}
	for _, e := range pod.Containers[0].Env {
		got[e.Name] = e.Value
	}
	if got["PAI_FETCH_CACHE"] != "/usr/local/pai/fetch-cache" || got["PAI_FETCH_CACHE_MB"] != "1024" {
		t.Errorf("environment %v", got)
	}
	for _, c := range pod.InitContainers {
		for _, mount := range c.VolumeMounts {
			if mount.Name == volumeFetches {
				t.Error("the init container has the cache")
			}
		}
	}
}

func usesCache(m *Manifest) bool {
	for _, v := range m.Framework.Spec.TaskRoles[0].Task.Pod.Spec.Volumes {
		if v.Name == volumeFetches {
			return true
		}
	}
	return false
}
