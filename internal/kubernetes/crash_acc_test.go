//go:build acc

package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/fault"
	"github.com/openpai/terraform-provider-openpai/internal/render"
)

// crashEnv makes this test program the process that is killed in the middle of
// an apply. Its value is the kubeconfig.
const (
	crashEnv      = "OPENPAI_TEST_CRASH_KUBECONFIG"
	crashSpaceEnv = "OPENPAI_TEST_CRASH_NAMESPACE"
	crashSceneEnv = "OPENPAI_TEST_CRASH_SCENE"
)

// crashMain does what a scene does, in a process of its own.
func crashMain() int {
	c, err := Open(&hclspec.Cluster{Name: "gpu", Kubeconfig: os.Getenv(crashEnv), Namespace: os.Getenv(crashSpaceEnv)}, Options{
		Workspace: "vision", Target: render.Target{RuntimeImage: "registry.example.org/runtime:1"}, LeaseDuration: time.Second,
	})
	if err == nil {
		n, _ := strconv.Atoi(os.Getenv(crashSceneEnv))
		err = scenes[n].do(context.Background(), c)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// TestKilledAtEveryRequest kills the process with SIGKILL when its n-th write
// arrives, before or after it is carried out. One further command converges.
func TestKilledAtEveryRequest(t *testing.T) {
	for i, s := range scenes {
		writes := 0
		for _, name := range referenceRequests(t, s) {
			if name[:3] != "GET" {
				writes++
			}
		}
		for n := range writes {
			for _, carriedOut := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/write %d, carried out %t", s.name, n+1, carriedOut), func(t *testing.T) {
					t.Parallel()
					kill(t, i, n, carriedOut)
				})
			}
		}
	}
}

func kill(t *testing.T, scene, at int, carriedOut bool) {
	s := scenes[scene]
	namespace := newNamespace(t)
	s.before(t, open(t, namespace, "vision"))
	kind := fault.HangBefore
	if carriedOut {
		kind = fault.HangAfter
	}
	reached := make(chan struct{})
	seen := 0
	proxy, err := fault.New(server, func(r fault.Request) (fault.Kind, bool) {
		if !r.Write() || strings.HasPrefix(requestName(r, namespace), "PATCH leases") {
			return "", false
		}
		seen++
		if seen == at+1 {
			close(reached)
		}
		return kind, seen > at
	})
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	file, err := server.WriteKubeconfig("kill-"+namespace, proxy.URL, namespace)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), crashEnv+"="+file, crashSpaceEnv+"="+namespace, fmt.Sprintf("%s=%d", crashSceneEnv, scene))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-reached:
		if carriedOut {
			time.Sleep(50 * time.Millisecond) // for the server
		}
	case <-time.After(20 * time.Second):
		t.Errorf("write %d did not come", at+1)
	}
	if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if err := s.do(t.Context(), open(t, namespace, "vision")); err != nil {
		t.Fatalf("a further apply does not converge: %v", err)
	}
	s.after(t, open(t, namespace, "vision"))
}
