// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/fault"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// requestsPerJob returns the number of requests that create a job: one each
// for the Framework, the record, the start and every owned object.
// docs/guides/kubernetes.md states this number.
func requestsPerJob(c *Cluster, t testing.TB, j *resolve.Job) int {
	d, err := c.dependents(submission(c, j))
	if err != nil {
		t.Fatal(err)
	}
	return 3 + len(d.owned)
}

func TestEachCommandSendsFewRequests(t *testing.T) {
	namespace := newNamespace(t)
	c, proxy := behind(t, namespace, nil)
	c.options.RequestTimeout = time.Minute
	jobs := manyJobs("vision", 20)
	mustApply(t, c, planner.Options{Jobs: jobs})
	counts, tries, reviews := map[string]int{}, 0, 0
	for _, r := range proxy.Requests() {
		if strings.HasSuffix(r.Path, "/selfsubjectrulesreviews") {
			reviews++
			continue
		}
		if strings.Contains(r.Query, "dryRun=All") {
			tries++
			continue
		}
		counts[requestName(r, namespace)]++
	}
	if tries > 2 {
		t.Errorf("%d dry runs, want at most one for service accounts and one for roles", tries)
	}
	if reviews > 1 {
		t.Errorf("the permissions were requested %d times", reviews)
	}
	writes := 0
	for name, n := range counts {
		if name[:3] != "GET" {
			writes += n
		}
	}
	// Requests outside a job: create the key; create, renew and release the
	// Lease.
	most := len(jobs)*requestsPerJob(c, t, jobs[0]) + 1 + 2 + counts["PATCH leases/openpai-vision"]
	if writes > most {
		t.Errorf("%d writes for %d jobs, want at most %d: %v", writes, len(jobs), most, counts)
	}

	again, proxy := behind(t, namespace, nil)
	mustBeEmpty(t, again, jobs...)
	lists := map[string]int{}
	for _, r := range proxy.Requests() {
		if r.Write() {
			t.Errorf("a plan wrote: %s %s", r.Method, r.Path)
		}
		lists[requestName(r, namespace)]++
	}
	for name, n := range lists {
		if n > 1 {
			t.Errorf("%d times %s", n, name)
		}
	}
}

func TestAListContainsTheObjectsOfAllPages(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	var want int
	for i := range 7 {
		j := plainJob("vision", fmt.Sprint("job", i))
		if err := c.Create(t.Context(), submission(c, j)); err != nil {
			t.Fatal(err)
		}
		want++
	}
	c.client.PageSize = 3
	all, err := listHeaders(t.Context(), c, api.Frameworks, workspaceSelector("vision"), 0)
	if err != nil || len(all) != want {
		t.Errorf("%d objects, want %d: %v", len(all), want, err)
	}
}

// kubectlTime limits the duration of a kubectl command.
const kubectlTime = 15 * time.Minute

// BenchmarkApply compares how openpai and kubectl apply 1,000 jobs with the
// same objects, including the values of the Secrets.
func BenchmarkApply(b *testing.B) {
	const n = 1000
	b.Run("openpai", func(b *testing.B) {
		for b.Loop() {
			namespace := newNamespace(b)
			c, proxy := countedBy(b, namespace)
			mustApply(b, c, planner.Options{Jobs: manyJobs("vision", n)})
			b.ReportMetric(float64(len(proxy.Requests()))/n, "requests/job")
			direct := open(b, namespace, "vision")
			direct.options.RequestTimeout = time.Minute
			began := time.Now()
			mustBeEmpty(b, direct, manyJobs("vision", n)...)
			b.ReportMetric(time.Since(began).Seconds(), "s/plan")
		}
	})
	b.Run("kubectl", func(b *testing.B) {
		kubectl, err := exec.LookPath("kubectl")
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			namespace := newNamespace(b)
			file := exported(b, namespace, n)
			ctx, cancel := context.WithTimeout(b.Context(), kubectlTime)
			defer cancel()
			cmd := exec.CommandContext(ctx, kubectl, "--kubeconfig", server.Kubeconfig, "-n", namespace, "apply", "--server-side", "-f", file)
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, out[max(0, len(out)-1000):])
			}
		}
	})
}

func countedBy(b *testing.B, namespace string) (*Cluster, *fault.Proxy) {
	c, proxy := behind(b, namespace, nil)
	c.options.RequestTimeout = time.Minute
	return c, proxy
}

// exported writes YAML documents for kubectl.
func exported(b *testing.B, namespace string, n int) string {
	b.Helper()
	c := open(b, namespace, "vision")
	var out bytes.Buffer
	for _, j := range manyJobs("vision", n) {
		d, err := c.dependents(submission(c, j))
		if err != nil {
			b.Fatal(err)
		}
		objects := []any{d.manifest.Framework}
		for _, o := range d.owned {
			objects = append(objects, o.body)
		}
		for _, o := range objects {
			text, err := json.Marshal(o)
			if err != nil {
				b.Fatal(err)
			}
			out.WriteString("---\n")
			out.Write(text)
			out.WriteString("\n")
		}
	}
	file := filepath.Join(b.TempDir(), "export.yaml")
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	return file
}
