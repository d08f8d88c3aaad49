// SPDX-License-Identifier: MPL-2.0

//go:build e2e && acc

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/engine"
)

// patience limits every wait.
const patience = 40 * time.Second

// space is a directory that contains a workspace with one cluster.
type space struct {
	t    *testing.T
	dir  string
	name string
}

// newSpace writes a workspace with a cluster block, and the given text as its
// job file.
func newSpace(t *testing.T, name, text string) *space {
	t.Helper()
	return newSpaceWith(t, runtimeImage(t), name, text)
}

// newSpaceWith is like newSpace, with a different runtime image.
func newSpaceWith(t *testing.T, runtimeImage, name, text string) *space {
	t.Helper()
	s := &space{t: t, dir: t.TempDir(), name: name}
	s.write("cluster.pai.hcl", fmt.Sprintf(`
openpai {
  workspace = %q
}

cluster "e2e" {
  kubeconfig  = %q
  user        = "alice"
  log_storage = "logs"

  runtime {
    image = %q
  }
}

storage "logs" {
  host_path = %q
}
`, name, server.Kubeconfig, runtimeImage, filepath.Join(s.dir, "logs")))
	s.write("job.pai.hcl", text)
	if err := os.Mkdir(filepath.Join(s.dir, "logs"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.explain)
	return s
}

// explain prints diagnostic information if the test failed.
func (s *space) explain() {
	if !s.t.Failed() {
		return
	}
	// Tasks that are still running would leave no capacity for the next test.
	defer func() { _ = s.command(context.Background(), "destroy", "--auto-approve").Run() }()
	for _, command := range []string{"status", "events", "logs"} {
		out, _ := s.command(context.Background(), command).CombinedOutput()
		s.t.Logf("openpai %s\n%s", command, out)
	}
	pods, err := server.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).List(context.Background(), metav1.ListOptions{})
	if err == nil {
		for _, p := range pods.Items {
			text, _ := json.Marshal(p.Object["status"])
			s.t.Logf("Pod %s: %s", p.GetName(), text)
		}
	}
	s.t.Logf("kubelet: %s", server.Log("kubelet"))
}

// command returns an openpai command that runs in the workspace.
func (s *space) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, openpai, args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "HOME="+s.dir)
	return cmd
}

func (s *space) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// pushOnce pushes the runtime from the directory of the openpai binary.
var pushOnce = sync.OnceValues(func() (string, error) {
	return pushRuntime(nil, images+"/openpai-runtime")
})

func pushRuntime(env []string, args ...string) (reference string, err error) {
	cmd := exec.Command(openpai, append([]string{"cluster", "push-runtime"}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("push-runtime: %s", exit.Stderr)
	}
	return strings.TrimSpace(string(out)), err
}

// runtimeImage pushes the image once, with the openpai command.
func runtimeImage(t *testing.T) string {
	t.Helper()
	ref, err := pushOnce()
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

func (s *space) openpai(args ...string) (code int, stdout, stderr string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	cmd := s.command(ctx, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		s.t.Fatalf("openpai %s: %v", strings.Join(args, " "), err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

func (s *space) must(code int, args ...string) string {
	s.t.Helper()
	got, out, errs := s.openpai(args...)
	if got != code {
		s.t.Fatalf("openpai %s: exit code %d, want %d\n%s\n%s", strings.Join(args, " "), got, code, out, errs)
	}
	return out
}

// status returns the status of the only job in the workspace. It fails the
// test if the workspace has no job or several jobs.
func (s *space) status() *cluster.Status {
	s.t.Helper()
	var answer struct{ Jobs []*cluster.Status }
	if err := json.Unmarshal([]byte(s.must(0, "status", "--json")), &answer); err != nil || len(answer.Jobs) != 1 {
		s.t.Fatalf("status: %+v, error %v", answer, err)
	}
	return answer.Jobs[0]
}

// follow runs the simulated FrameworkController for the job.
func (s *space) follow() (wait func()) {
	s.t.Helper()
	return s.followFor(patience)
}

// followFor is like follow, but with a time limit.
func (s *space) followFor(limit time.Duration) (wait func()) {
	s.t.Helper()
	name := s.status().Framework
	ctx, cancel := context.WithTimeout(s.t.Context(), limit)
	e := &engine.Engine{Client: server.Dynamic(), Namespace: "default"}
	done := make(chan error, 1)
	go func() { done <- e.Follow(ctx, name) }()
	return sync.OnceFunc(func() {
		s.t.Helper()
		defer cancel()
		if err := <-done; err != nil {
			s.t.Fatalf("%v\n%s\nkubelet: %s", err, s.must(0, "events"), server.Log("kubelet"))
		}
	})
}

// serve serves a directory to Pods and returns the URL.
func serve(t *testing.T, dir string) string {
	t.Helper()
	l, err := net.Listen("tcp", apitest.NodeIP+":0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() { _ = http.Serve(l, http.FileServer(http.Dir(dir))) }()
	return "http://" + l.Addr().String()
}
