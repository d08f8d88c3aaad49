//go:build acc

package kubernetes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestCorpus plans, applies, plans, changes, applies and destroys every job of
// a folder of protocol files, when OPENPAI_CORPUS names one. All are jobs of
// one namespace.
func TestCorpus(t *testing.T) {
	folder := os.Getenv("OPENPAI_CORPUS")
	if folder == "" {
		return
	}
	files, err := filepath.Glob(filepath.Join(folder, "jobs-v2", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no job files below %s: %v", folder, err)
	}
	namespace := newNamespace(t)
	t.Run("jobs", func(t *testing.T) {
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".yaml")
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				jobs := corpusJobs(t, name, file)
				c := open(t, namespace, name)
				mustApply(t, c, planner.Options{Jobs: jobs})
				mustBeEmpty(t, c, jobs...)
				changed := corpusJobs(t, name, file)
				for _, j := range changed {
					j.TaskRoles[0].Commands = append(j.TaskRoles[0].Commands, "echo changed")
				}
				mustApply(t, c, planner.Options{Jobs: changed})
				mustBeEmpty(t, c, changed...)
				mustApply(t, c, planner.Options{Jobs: changed, Destroy: true})
			})
		}
	})
	mustBeGone(t, namespace)
}

func corpusJobs(t *testing.T, name, file string) []*resolve.Job {
	t.Helper()
	loaded, diags := workspace.Load(workspace.Options{Path: file, Environ: []string{}})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	jobs, diags := resolve.All(resolve.Input{Workspace: loaded.Workspace, User: "alice"})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for _, j := range jobs {
		j.Cluster, j.Workspace = "gpu", name
		j.Name += "-" + name
		j.Framework = frameworkNameOf(j)
	}
	return jobs
}
