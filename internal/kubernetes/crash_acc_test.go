// SPDX-License-Identifier: MPL-2.0

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
	"sync"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/fault"
)

// If the environment variable crashEnv is set, this test program runs one scene
// instead of the tests. The test that started this process kills it during the
// scene. crashEnv contains the path of the kubeconfig.
const (
	crashEnv      = "OPENPAI_TEST_CRASH_KUBECONFIG"
	crashSpaceEnv = "OPENPAI_TEST_CRASH_NAMESPACE"
	crashSceneEnv = "OPENPAI_TEST_CRASH_SCENE"
)

// crashMain runs a scene in the process that the test kills.
func crashMain() int {
	c, err := Open(&hclspec.Cluster{Name: "gpu", Kubeconfig: os.Getenv(crashEnv), Namespace: os.Getenv(crashSpaceEnv)}, Options{
		Workspace: "vision", LeaseDuration: time.Second,
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

// TestCommandsConvergeAfterAKillAtAnyRequest kills the process before the response to
// each read, and before and after each write. Killing the process after a read is
// equivalent to killing it at the next request. The next command must converge, and no
// job may start twice.
func TestCommandsConvergeAfterAKillAtAnyRequest(t *testing.T) {
	for i, s := range scenes {
		for n, name := range referenceRequests(t, s) {
			kinds := []fault.Kind{fault.HangBefore, fault.HangAfter}
			if strings.HasPrefix(name, "GET ") {
				kinds = kinds[:1]
			}
			for _, kind := range kinds {
				t.Run(fmt.Sprintf("%s/request %d, %s/%s", s.name, n+1, name, kind), func(t *testing.T) {
					t.Parallel()
					kill(t, i, n, kind)
				})
			}
		}
	}
}

func kill(t *testing.T, scene, at int, kind fault.Kind) {
	s := scenes[scene]
	namespace := newNamespace(t)
	s.before(t, open(t, namespace, "vision"))
	started := watchStarts(t, namespace)
	requests, seen := newTraffic(namespace), 0
	proxy, err := fault.New(server, func(r fault.Request) (fault.Kind, bool) {
		if seen <= at && requests.next(r) != "" {
			if seen++; seen > at {
				return kind, true
			}
		}
		return fault.HangBefore, seen > at
	})
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	reached := make(chan struct{})
	once := sync.OnceFunc(func() { close(reached) })
	proxy.Hung = func(k fault.Kind) {
		if k == kind {
			once()
		}
	}
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
	case <-time.After(20 * time.Second):
		t.Errorf("the process did not send request %d", at+1)
	}
	if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if err := s.do(t.Context(), open(t, namespace, "vision")); err != nil {
		t.Fatalf("the next apply does not converge: %v", err)
	}
	started.mustBeAtMost(t, s.starts, namespace)
	s.after(t, open(t, namespace, "vision"))
}
