// SPDX-License-Identifier: MPL-2.0

package local

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

func TestTheDiskIsCleanedByAgeSizeAndLock(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.Cluster
	now := time.Now()
	write := func(file string, size int, age time.Duration) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, make([]byte, size), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	for name, age := range map[string]time.Duration{"old": 48 * time.Hour, "older": 72 * time.Hour, "new": time.Minute} {
		write(filepath.Join(c.downloads(), name), 100, age)
	}
	write(filepath.Join(c.layout.Items(), "locked.yaml"), 10, 0)
	write(filepath.Join(c.layout.Items(), "gone.yaml"), 20, 0)
	write(filepath.Join(c.layout.Modules(), "locked", "a"), 10, 0)
	write(filepath.Join(c.layout.Modules(), "gone", "a"), 30, 0)
	write(filepath.Join(c.layout.Modules(), ".fetch-1"), 5, time.Hour)
	write(filepath.Join(c.layout.Modules(), ".fetch-2"), 5, 25*time.Hour)
	limits := cluster.DiskLimits{Before: now.Add(-60 * time.Hour), DownloadBytes: 150, Items: map[string]bool{"h1:locked": true}, Modules: map[string]bool{"h1:locked": true}}
	want := []cluster.DiskUse{{Kind: cluster.DiskDownloads, Count: 2, Bytes: 200}, {Kind: cluster.DiskPrograms}, {Kind: cluster.DiskItems, Count: 1, Bytes: 20}, {Kind: cluster.DiskModules, Count: 2, Bytes: 35}}
	for _, dry := range []bool{true, true, false} {
		got, err := c.CleanDisk(t.Context(), limits, dry)
		var files []string
		for i, u := range got {
			for _, f := range u.Files {
				files = append(files, fmt.Sprintf("%s %d", filepath.Base(f.Path), f.Bytes))
			}
			got[i].Files = nil
		}
		if diff := cmp.Diff([]string{"older 100", "old 100", "gone.yaml 20", ".fetch-2 5", "gone 30"}, files); diff != "" {
			t.Errorf("dry %v: files (-want +got)\n%s", dry, diff)
		}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("dry %v: %v\n%s", dry, err, diff)
		}
	}
	for _, framework := range []string{"f1", "f2"} {
		write(filepath.Join(c.layout.Frameworks(), framework, "framework.json"), 1, 0)
		write(filepath.Join(c.layout.Records(), framework+".json"), 1, 0)
		write(filepath.Join(c.layout.Attempts(framework), "0", "exit.json"), 1, 0)
	}
	use, err := c.DiskUse(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range use {
		if u.Kind == cluster.DiskDownloads && (u.Count != 1 || u.Bytes != 100) || u.Kind == cluster.DiskItems && u.Count != 1 || u.Kind == cluster.DiskModules && u.Count != 2 || u.Kind == cluster.DiskJobs && (u.Count != 2 || u.Bytes < 6) {
			t.Errorf("%+v", u)
		}
	}
	if _, err := os.Stat(filepath.Join(c.downloads(), "new")); err != nil {
		t.Error(err)
	}
}
