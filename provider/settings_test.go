// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/history"
)

func TestTheOriginOfRunsOnKubernetesHasTheRuntimeImage(t *testing.T) {
	t.Parallel()
	s := &settings{Version: "1.2.3", Cluster: &hclspec.Cluster{Name: kubernetesName, Runtime: hclspec.ClusterRuntime{Image: "example.org/runtime:1"}}}
	want := history.Origin{Command: "terraform", OpenPAI: "1.2.3", Runtimes: map[string]string{kubernetesName: "example.org/runtime:1"}}
	if diff := cmp.Diff(want, s.origin()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTheRecordOfARunHasTheVersionAndTheCommit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "start")
	start(t, dir).resource("openpai_job").mustApply(job([]string{"true"}, tree{"wait_for": "completed"}), "create")
	files, err := filepath.Glob(filepath.Join(dir, ".openpai", "history", "*", "*-1-*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("records %q: %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	r, err := history.Decode(files[0], text)
	if err != nil {
		t.Fatal(err)
	}
	if r.Versions.OpenPAI != "test" || r.Versions.Runtime != "test" || r.Git == nil || r.Git.Dirty {
		t.Errorf("versions %+v, git %+v", r.Versions, r.Git)
	}
}
