// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// victim creates a directory with old files that look like state files.
func victim(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"file", "1/worker-0/0/file", "bin/tool/file", "attempts/file", "runs/file", "secrets/file"} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("precious\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-2 * store.ProgramRetention)
	for name := range snapshot(t, dir) {
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		var text []byte
		if info.Mode().IsRegular() {
			text, err = os.ReadFile(name)
		}
		below, _ := filepath.Rel(dir, name)
		all[below] = info.Mode().String() + " " + string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestCommandsDoNotFollowLinksInTheState checks that commands do not replace, lock or
// remove files through symbolic links in .openpai. A repository or an archive can
// contain such links.
func TestCommandsDoNotFollowLinksInTheState(t *testing.T) {
	t.Parallel()
	job := newJob("planted", newRole("worker", "true"))
	framework := filepath.Join("frameworks", job.Framework)
	for link, target := range map[string]string{
		"":                                 ".",
		"bin":                              ".",
		"frameworks":                       ".",
		"records":                          ".",
		"attempts":                         ".",
		"secrets":                          ".",
		"runs":                             ".",
		"runs/" + job.Framework:            ".",
		"secrets/jobs":                     ".",
		"cache":                            ".",
		"quarantine":                       ".",
		"cache/entries":                    ".",
		framework:                          ".",
		"attempts/" + job.Framework:        ".",
		"attempts/" + job.Framework + "/0": "1",
		"attempts/" + job.Framework + "/0/worker-0": "1/worker-0",
		"secrets/jobs/" + job.Framework:             ".",
		"lock":                                      "file",
		framework + "/edit.lock":                    "file",
		framework + "/supervisor.lock":              "file",
		framework + "/supervisor.log":               "file",
		framework + "/framework.json":               "file",
		".gitignore":                                "file",
	} {
		for name, command := range map[string]func(w *world) error{
			"apply":    func(w *world) error { return w.Create(w.ctx, submission(job, nil)) },
			"destroy":  func(w *world) error { return w.Delete(w.ctx, job.Framework) },
			"repair":   func(w *world) error { _, err := w.Repair(w.ctx, job.Workspace); return err },
			"clean up": func(w *world) error { return w.CleanUp(w.ctx, planner.DeclaredByCommandLine) },
		} {
			t.Run(name+" with a link "+link, func(t *testing.T) {
				t.Parallel()
				w := plantedWorld(t, job, link != "" && link != "records")
				dir := victim(t)
				at := w.layout.Join(link)
				if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.RemoveAll(at); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(filepath.Join(dir, target), at); err != nil {
					t.Fatal(err)
				}
				before := snapshot(t, dir)
				err := command(w)
				if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
					t.Errorf("the command changed the target of the link (-before +after); error %v\n%s", err, diff)
				}
				refused := err != nil && strings.Contains(err.Error(), "symbolic link")
				harmless := link == ".gitignore" || link == framework+"/framework.json" // only read, and unreadable
				if name == "apply" && !refused && !harmless {
					t.Errorf("error %v", err)
				}
			})
		}
	}
}

// plantedWorld opens a new workspace, with the job's record if recorded is true.
func plantedWorld(t *testing.T, job *resolve.Job, recorded bool) *world {
	t.Helper()
	c, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, Cluster: c, ctx: t.Context()}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_ = c.Delete(ctx, job.Framework) // returns when no process of the job is running, or fails because of the link
	})
	if recorded {
		if err := w.layout.Prepare(); err != nil {
			t.Fatal(err)
		}
		if err := w.layout.SaveRecord(store.NewRecord(submission(job, nil), time.Now())); err != nil {
			t.Fatal(err)
		}
	}
	return w
}
