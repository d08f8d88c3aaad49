// SPDX-License-Identifier: MPL-2.0

package local

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// BenchmarkStatus reads the statuses of 200 finished jobs, like the status
// command. Only one job has run; the files of the other jobs are copies.
func BenchmarkStatus(b *testing.B) {
	c, err := Open(b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	job := newJob("job0", newRole("worker", "true"))
	if err := c.Create(b.Context(), submission(job, nil)); err != nil {
		b.Fatal(err)
	}
	if _, err := cluster.Wait(b.Context(), c, job.Framework, cluster.Finished, func(*cluster.Status) {}); err != nil {
		b.Fatal(err)
	}
	names := []string{job.Framework}
	for n := range 199 {
		name := contract.FrameworkName("ann", fmt.Sprint("job", n+1))
		copyJob(b, string(c.layout), job.Framework, name)
		names = append(names, name)
	}
	for b.Loop() {
		jobs, err := c.Jobs(b.Context(), job.Workspace)
		if err != nil || len(jobs) != len(names) {
			b.Fatalf("%d jobs, error %v", len(jobs), err)
		}
		status, err := c.ListStatuses(b.Context(), names)
		if err != nil {
			b.Fatal(err)
		}
		for _, name := range names {
			if st, err := status(b.Context(), name); err != nil || !st.State.Finished() {
				b.Fatalf("%s: %+v, error %v", name, st, err)
			}
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/200-jobs")
}

func copyJob(b *testing.B, dir, from, to string) {
	b.Helper()
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || !strings.Contains(name, from) {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		name = strings.ReplaceAll(name, from, to)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		return os.WriteFile(name, bytes.ReplaceAll(text, []byte(from), []byte(to)), 0o600)
	})
	if err != nil {
		b.Fatal(err)
	}
}
