// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestSourcesReportInputsThatHaveChanged(t *testing.T) {
	t.Parallel()
	errGone := errors.New("the registry example.org does not contain the image")
	errFar := errors.New("example.org cannot be reached")
	old, recent := strings.Repeat("1", 40), strings.Repeat("2", 40)
	dir := t.TempDir()
	for _, name := range []string{"same.csv", "other.csv", "stored/other.csv"} {
		writeInput(t, filepath.Join(dir, name))
	}
	sources := operation.Sources{
		Digest: func(_ context.Context, image string) (string, error) {
			return "sha256:2", map[string]error{"gone@sha256:1": errGone, "far": errFar}[image]
		},
		Gone: func(err error) bool { return errors.Is(err, errGone) },
		Sum: func(_ context.Context, url string) (string, error) {
			return "aaaa", map[string]error{"https://example.org/gone": errGone, "https://example.org/far": errFar}[url]
		},
		Commit: func(_ context.Context, repository, ref string) (string, error) {
			known := map[string]string{"v1": old, "v2": old, recent: recent}
			if commit := known[ref]; commit != "" && repository == "https://example.org/r.git" {
				return commit, nil
			}
			return "", map[string]error{"https://example.org/r.git": errGone, "https://example.org/far.git": errFar}[repository]
		},
		Directory: dir,
	}
	job := func(cluster, image string, fetches ...*resolve.Fetch) *resolve.Job {
		role := &resolve.TaskRole{Image: resolve.Image{URI: image}, Steps: []*resolve.Step{{Address: "prerequisite.data.d", Fetch: fetches}}}
		return &resolve.Job{Cluster: cluster, TaskRoles: []*resolve.TaskRole{role}}
	}
	on := func(cluster string, fetches ...*resolve.Fetch) *resolve.Job { return job(cluster, "there", fetches...) }
	storing := on(resolve.LocalCluster, &resolve.Fetch{URL: "stored/other.csv"})
	storing.TaskRoles[0].Mounts = []*resolve.Mount{{Storage: "s", Path: "/mnt/s", Declared: &hclspec.Storage{Name: "s", HostPath: "stored"}}}
	const local, gpu = resolve.LocalCluster, "gpu"
	changed := func(what, sum string) string {
		return what + ": its sha256 is now " + sum + ", but the run used bbbb"
	}
	for name, c := range map[string]struct {
		job *resolve.Job
		// the reports of repeat and verify, and the inputs that they cannot compare
		repeat, verify, offline, unchecked []string
	}{
		"an image that exists":    {job: job(gpu, "there@sha256:2")},
		"an image of a local job": {job: job(local, "gone@sha256:1")},
		"an image that was removed": {
			job: job(gpu, "gone@sha256:1"), repeat: []string{"image gone@sha256:1: " + errGone.Error()}, verify: []string{"image gone@sha256:1: " + errGone.Error()},
		},
		"a registry that cannot be reached": {job: job(gpu, "far"), verify: []string{"image far: " + errFar.Error()}},
		"a download with its declared hash": {job: on(gpu, &resolve.Fetch{URL: "https://example.org/same", SHA256: "AAAA"})},
		"a download that the task compares": {
			job: on(gpu, &resolve.Fetch{URL: "https://example.org/same", SHA256: "bbbb"}), verify: []string{changed("download https://example.org/same", "aaaa")},
		},
		"a download that changed since the run": {
			job:    on(gpu, &resolve.Fetch{URL: "https://example.org/seen"}),
			repeat: []string{changed("download https://example.org/seen", "aaaa")}, verify: []string{changed("download https://example.org/seen", "aaaa")},
		},
		"a download that was removed": {
			job:    on(gpu, &resolve.Fetch{URL: "https://example.org/gone"}),
			repeat: []string{"download https://example.org/gone: " + errGone.Error()}, verify: []string{"download https://example.org/gone: " + errGone.Error()},
		},
		"a server that only the cluster can reach": {
			job:    on(gpu, &resolve.Fetch{URL: "https://example.org/far"}),
			verify: []string{"download https://example.org/far: " + errFar.Error()},
		},
		"a server that the tasks of this machine cannot reach": {
			job:    on(local, &resolve.Fetch{URL: "https://example.org/far"}),
			repeat: []string{"download https://example.org/far: " + errFar.Error()}, verify: []string{"download https://example.org/far: " + errFar.Error()},
		},
		"a download without a recorded hash": {job: on(local, &resolve.Fetch{URL: "https://example.org/new"})},
		"a download with a credential": {
			job:       on(local, &resolve.Fetch{URL: "https://example.org/seen", Auth: "<% $secrets.token %>"}),
			unchecked: []string{"download https://example.org/seen was not compared with the run: only the task can read it"},
		},
		"a file of the workspace": {job: on(local, &resolve.Fetch{URL: "same.csv"})},
		"a file that changed since the run": {
			job:    on(local, &resolve.Fetch{URL: "other.csv"}),
			repeat: []string{changed("file other.csv", inputSum)}, verify: []string{changed("file other.csv", inputSum)}, offline: []string{changed("file other.csv", inputSum)},
		},
		"a file that differs from its declared hash": {
			job:    on(local, &resolve.Fetch{URL: "same.csv", SHA256: "bbbb"}),
			repeat: []string{changed("file same.csv", inputSum)}, verify: []string{changed("file same.csv", inputSum)}, offline: []string{changed("file same.csv", inputSum)},
		},
		"a file that was removed": {
			job:    on(local, &resolve.Fetch{URL: "none.csv"}),
			repeat: []string{"file none.csv: no such file or directory"}, verify: []string{"file none.csv: no such file or directory"}, offline: []string{"file none.csv: no such file or directory"},
		},
		"a file on a storage": {
			job: storing, unchecked: []string{"file stored/other.csv was not compared with the run: it is on a storage that tasks can write to"},
		},
		"a file outside the workspace": {job: on(local, &resolve.Fetch{URL: "../none.csv"})},
		"a git tag":                    {job: on(local, &resolve.Fetch{URL: "git::https://example.org/r.git?ref=v1"})},
		"a git tag that moved":         {job: on(local, &resolve.Fetch{URL: "git::https://example.org/r.git?ref=v2"})},
		"a git commit":                 {job: on(local, &resolve.Fetch{URL: "git::https://example.org/r.git?ref=" + recent})},
		"a git commit that was removed": {
			job:    on(local, &resolve.Fetch{URL: "git::https://example.org/r.git?ref=v3"}),
			repeat: []string{"repository git::https://example.org/r.git?ref=v3: " + errGone.Error()}, verify: []string{"repository git::https://example.org/r.git?ref=v3: " + errGone.Error()},
		},
		"a git repository that only the cluster can reach": {
			job:    on(gpu, &resolve.Fetch{URL: "git::https://example.org/far.git?ref=v1"}),
			verify: []string{"repository git::https://example.org/far.git?ref=v1: " + errFar.Error()},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := operation.RecordedRun{Run: &history.Run{Address: "job.a", Number: 1}}
			for url, sum := range map[string]string{
				"https://example.org/seen": "bbbb", "https://example.org/gone": "bbbb", "https://example.org/far": "bbbb",
				"same.csv": inputSum, "other.csv": "bbbb", "none.csv": "bbbb", "stored/other.csv": "bbbb",
			} {
				run.Data = append(run.Data, history.Data{Prerequisite: "prerequisite.data.d", URL: url, SHA256: sum})
			}
			for tag, commit := range map[string]string{"r.git?ref=v1": old, "r.git?ref=v2": recent, "r.git?ref=v3": strings.Repeat("3", 40), "far.git?ref=v1": old} {
				run.Data = append(run.Data, history.Data{Prerequisite: "prerequisite.data.d", URL: "git::https://example.org/" + tag, Commit: commit})
			}
			_, err := sources.Missing(t.Context(), run, c.job)
			if diff := cmp.Diff(c.repeat, problems(err)); diff != "" {
				t.Errorf("repeat (-want +got)\n%s", diff)
			}
			unchecked, err := sources.Verify(t.Context(), run, c.job, false)
			if diff := cmp.Diff(c.verify, problems(err)); diff != "" {
				t.Errorf("verify (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(c.unchecked, unchecked); diff != "" {
				t.Errorf("unchecked (-want +got)\n%s", diff)
			}
			_, err = sources.Verify(t.Context(), run, c.job, true)
			if diff := cmp.Diff(c.offline, problems(err)); diff != "" {
				t.Errorf("offline (-want +got)\n%s", diff)
			}
		})
	}
}

// inputSum is the SHA-256 of the files that writeInput writes.
const inputSum = "52186c933993da4082b3cdc7c40bb4bf735b391ff54a2ef78c037dda6c38a680"

func writeInput(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func problems(err error) []string {
	var u *operation.Unrepeatable
	if errors.As(err, &u) {
		return u.Problems
	}
	return nil
}
