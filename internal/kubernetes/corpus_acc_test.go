// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestEveryJobOfTheCorpusIsAppliedAndDestroyed reads the protocol files in the
// directory $OPENPAI_CORPUS. It applies, changes and destroys every job in these
// files. After each apply, the plan must be empty. All jobs share one namespace.
func TestEveryJobOfTheCorpusIsAppliedAndDestroyed(t *testing.T) {
	folder := os.Getenv("OPENPAI_CORPUS")
	if folder == "" {
		t.Skip("OPENPAI_CORPUS does not name a folder with job files")
	}
	namespace := newNamespace(t)
	t.Run("jobs", func(t *testing.T) {
		for _, f := range corpusFiles(t, folder) {
			t.Run(f.workspace, func(t *testing.T) {
				t.Parallel()
				jobs := f.jobs(t)
				c := open(t, namespace, f.workspace)
				mustApply(t, c, planner.Options{Jobs: jobs})
				mustBeEmpty(t, c, jobs...)
				changed := f.jobs(t)
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

// corpusFile is a job file of the corpus.
type corpusFile struct {
	workspace, path string
	// items is the file with the marketplace items that the job uses, or "".
	items string
}

// corpusFiles lists files that the plan must accept: protocol v2, the older
// format and the specification's examples.
func corpusFiles(t *testing.T, folder string) []corpusFile {
	t.Helper()
	expected, err := os.ReadFile(filepath.Join(folder, "seeds", "EXPECTED.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	accepted := regexp.MustCompile(`(?m)^(.+)\.yaml\t(accept|job part)`)
	var examples []string
	for _, m := range accepted.FindAllStringSubmatch(string(expected), -1) {
		examples = append(examples, m[1])
	}
	var all []corpusFile
	for _, group := range []string{"jobs-v2", "legacy-tasks", "seeds"} {
		files, err := filepath.Glob(filepath.Join(folder, group, "*.yaml"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files in %s of %s: %v", group, folder, err)
		}
		for _, path := range files {
			name := strings.TrimSuffix(filepath.Base(path), ".yaml")
			if strings.HasPrefix(name, "component-") || group == "seeds" && !slices.Contains(examples, name) {
				continue // marketplace items, other files, and jobs that must be rejected
			}
			f := corpusFile{workspace: group + "-" + name, path: path}
			if stem, part := strings.CutSuffix(name, "-job"); part && group == "seeds" {
				f.items = filepath.Join(folder, group, stem+"-marketplace.yaml")
			}
			all = append(all, f)
		}
	}
	return all
}

// jobs resolves the jobs of a file and appends the workspace to their names.
func (f corpusFile) jobs(t *testing.T) []*resolve.Job {
	t.Helper()
	o := workspace.Options{Path: f.path, Environ: []string{}}
	if f.items != "" {
		o = f.beside(t)
	}
	loaded, diags := workspace.Load(o)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if f.items != "" {
		if _, found, err := loaded.Init(t.Context(), workspace.InitOptions{}); err != nil || found.HasErrors() {
			t.Fatal(found, err)
		}
	}
	items, diags := loaded.Items()
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	jobs, diags := resolve.All(resolve.Input{Workspace: loaded.Workspace, User: "alice", Items: items})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for _, j := range jobs {
		j.Cluster, j.Workspace = "gpu", f.workspace
		j.Name += "-" + f.workspace
		j.Framework = frameworkNameOf(j)
	}
	return jobs
}

// beside copies the job and its items to a temporary directory, in which Init
// may write a lock file.
func (f corpusFile) beside(t *testing.T) workspace.Options {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "items"), 0o755); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{f.path: "job.yaml", f.items: "items/items.yaml"} {
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, to), text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return workspace.Options{Path: filepath.Join(dir, "job.yaml"), Environ: []string{}, Marketplaces: []string{"items=" + filepath.Join(dir, "items")}}
}
