// SPDX-License-Identifier: MPL-2.0

//go:build e2e && acc

package e2e

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/engine"
)

// newSpaceWithoutLogStorage returns a workspace whose logs exist only in the Pods.
// The engine deletes a Pod when its task ends. The user and the workspace have the
// same name.
func newSpaceWithoutLogStorage(t *testing.T, name, text string) *space {
	t.Helper()
	s := newSpace(t, name, text)
	s.write("cluster.pai.hcl", fmt.Sprintf(`
openpai {
  workspace = %[1]q
}

cluster "e2e" {
  kubeconfig = %[2]q
  user       = %[1]q

  runtime {
    image = %[3]q
  }
}
`, name, server.Kubeconfig, runtimeImage(t)))
	return s
}

// keepBusy runs two processes that use all available CPU time.
func keepBusy(t *testing.T) {
	t.Helper()
	for range 2 {
		busy := exec.CommandContext(t.Context(), "sh", "-c", "while :; do :; done")
		if err := busy.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = busy.Wait() })
	}
}

// followAll runs the simulated FrameworkController for every new job until the
// test ends.
func followAll(t *testing.T) {
	t.Helper()
	e := &engine.Engine{Client: server.Dynamic(), Namespace: "default"}
	var following sync.WaitGroup
	seen := map[string]bool{}
	following.Go(func() {
		for t.Context().Err() == nil {
			all, err := server.Dynamic().Resource(apitest.Frameworks).Namespace("default").List(t.Context(), metav1.ListOptions{})
			if err == nil {
				for _, f := range all.Items {
					if !seen[string(f.GetUID())] {
						seen[string(f.GetUID())] = true
						following.Go(func() { _ = e.Follow(t.Context(), f.GetName()) })
					}
				}
			}
			select {
			case <-t.Context().Done():
			case <-time.After(100 * time.Millisecond):
			}
		}
	})
	t.Cleanup(following.Wait)
}

// linesOf searches the log of the only task and returns the lines that begin
// with the given word.
func linesOf(text, word string) []string {
	var found []string
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "worker[0] | "); ok && strings.HasPrefix(rest, word) {
			found = append(found, strings.TrimSuffix(rest, "\n"))
		}
	}
	return found
}

// The test runs jobs that end before a client can read their Pods twice.
func TestShortJobsLoseNoLineBesideALoad(t *testing.T) {
	keepBusy(t)
	followAll(t)
	const jobs, atOnce = 100, 2
	slots := make(chan struct{}, atOnce)
	var running sync.WaitGroup
	for n := range jobs {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			s := newSpaceWithoutLogStorage(t, fmt.Sprint("short", n), job("echo said-$((6 * 7))"))
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			out, err := s.command(ctx, "run", "--auto-approve").CombinedOutput()
			if diff := cmp.Diff([]string{"said-42"}, linesOf(string(out), "said-")); err != nil || diff != "" {
				t.Errorf("job %d: %v\n(-want +got)\n%s\n%s", n, err, diff, out)
			}
			if out, err := s.command(ctx, "destroy", "--auto-approve").CombinedOutput(); err != nil {
				t.Errorf("job %d: destroy: %v\n%s", n, err, out)
			}
		})
	}
	running.Wait()
}

func TestAJobOfManyLinesLosesNoneBesideALoad(t *testing.T) {
	const count = 200_000 // less than 10 MiB of log; the kubelet rotates a log at 10 MiB
	s := newSpaceWithoutLogStorage(t, "many", job(fmt.Sprintf(`awk 'BEGIN { for (n = 1; n <= %d; n++) print "line", n }'`, count)))
	keepBusy(t)
	followAll(t)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	out, err := s.command(ctx, "run", "--auto-approve").Output()
	if err != nil {
		t.Fatal(err)
	}
	want := make([]string, count)
	for n := range want {
		want[n] = fmt.Sprint("line ", n+1)
	}
	if got := linesOf(string(out), "line "); !cmp.Equal(want, got) {
		t.Errorf("%d lines, want %d", len(got), count)
	}
	s.must(0, "destroy", "--auto-approve")
}
