// SPDX-License-Identifier: MPL-2.0

//go:build acc

package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/engine"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/fault"
)

const (
	watchedJobs  = 5
	watchedTasks = 16 // of each job
)

// TestEachRefreshSendsFewRequests checks how many requests each refresh of status
// --watch sends. All refreshes share one job source. Each refresh therefore reads only
// new logs.
func TestEachRefreshSendsFewRequests(t *testing.T) {
	server, err := apitest.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	runGangs(t, server)
	proxy, err := fault.New(server, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(proxy.Close)
	kubeconfig, err := server.WriteKubeconfig("watched", proxy.URL, "default")
	if err != nil {
		t.Fatal(err)
	}
	s := &Streams{}
	o := &statusOptions{jobFlags: jobFlags{streams: s, workspace: workspaceFlags{remote: remoteFlags{workspace: "watched", kubeconfig: kubeconfig}}}}
	source, err := o.workspace.source(s)
	if err != nil {
		t.Fatal(err)
	}
	seen, logs := 0, map[string]bool{}
	for refresh := range 3 {
		r, err := o.read(t.Context(), source)
		if err != nil || r.failed != nil || len(r.statuses) != watchedJobs {
			t.Fatalf("%d statuses, error %v, failed %v", len(r.statuses), err, r.failed)
		}
		counts := map[string]int{}
		for _, q := range proxy.Requests()[seen:] {
			seen++
			name := nameOfRequest(q)
			if counts[name]++; name == "GET pods/POD/log" {
				logs[q.Path] = true
			}
		}
		t.Logf("refresh %d: %v", refresh, counts)
		if n := counts["GET pods/POD/log"]; n > 64 {
			t.Errorf("refresh %d reads %d logs, want at most 64", refresh, n)
		}
		delete(counts, "GET pods/POD/log")
		want := map[string]int{"GET frameworks": 2, "GET configmaps": 1}
		if diff := cmp.Diff(want, counts); refresh > 0 && diff != "" {
			t.Errorf("requests of refresh %d (-want +got):\n%s", refresh, diff)
		}
	}
	if len(logs) != watchedJobs*watchedTasks {
		t.Errorf("the refreshes read %d logs, want %d", len(logs), watchedJobs*watchedTasks)
	}
}

// runGangs applies the gang jobs, and marks their tasks as running.
func runGangs(t *testing.T, server *apitest.Server) {
	t.Helper()
	text := fmt.Sprintf(`
openpai { workspace = "watched" }
cluster "gpu" {
  kubeconfig = %q
  user       = "alice"
  runtime { image = "registry.example.org/runtime:1" }
}
job "gang" {
  for_each = toset([for n in range(%d) : tostring(n)])
  name     = "gang-${each.key}"
  cluster  = "gpu"
  task_role "worker" {
    instances = %d
    image     = "busybox"
    commands  = ["sleep 600"]
    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 64
    }
  }
}
`, server.Kubeconfig, watchedJobs, watchedTasks)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.pai.hcl"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	root := newRootCmd(&Streams{out: &out, err: &out}, release)
	root.SetArgs([]string{"apply", "--auto-approve", dir})
	if err := root.ExecuteContext(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	all, err := server.Dynamic().Resource(apitest.Frameworks).Namespace("default").List(t.Context(), metav1.ListOptions{})
	if err != nil || len(all.Items) != watchedJobs {
		t.Fatalf("%d Frameworks: %v", len(all.Items), err)
	}
	e := &engine.Engine{Client: server.Dynamic(), Namespace: "default"}
	for _, f := range all.Items {
		if err := e.Prepare(t.Context(), f.GetName()); err != nil {
			t.Fatal(err)
		}
		if err := e.Run(t.Context(), f.GetName()); err != nil {
			t.Fatal(err)
		}
	}
}

var (
	apiPath   = regexp.MustCompile(`^/(api|apis/[^/]+)/v1/namespaces/default/`)
	hashes    = regexp.MustCompile(`frameworks/[0-9a-f]{32}`)
	podOfALog = regexp.MustCompile(`pods/[^/]+/log`)
)

func nameOfRequest(r fault.Request) string {
	path := hashes.ReplaceAllString(apiPath.ReplaceAllString(r.Path, ""), "frameworks/FRAMEWORK")
	return r.Method + " " + podOfALog.ReplaceAllString(path, "pods/POD/log")
}
