// SPDX-License-Identifier: MPL-2.0

//go:build unix

package initialize

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/runtime/check/porttest"
)

// gangBox returns an init container for a task in a gang of two. handler
// serves its API requests.
func gangBox(t *testing.T, handler http.HandlerFunc) *box {
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	b := newBox(t)
	port := porttest.Free(t)
	spec := runspec.Spec{Version: 1, Role: "w", Gang: true, MaxWaitSeconds: 3, Commands: []string{"a"}, PortStart: port, PortEnd: port + 1,
		Roles: []runspec.Role{{Name: "w", Written: "w", Tasks: 2, Ports: []runspec.Port{{Label: "http", Count: 1}}}}}
	text, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	b.write("config/run.json", string(text))
	for name, value := range map[string]string{
		"KUBE_APISERVER_ADDRESS": s.URL, "FC_FRAMEWORK_NAME": "fw", "FC_FRAMEWORK_NAMESPACE": "ml", "FC_TASKROLE_NAME": "w", "FC_TASK_INDEX": "0", "FC_FRAMEWORK_ATTEMPT_INSTANCE_UID": "0_a",
	} {
		b.env[name] = value
	}
	return b
}

const twoTasks = `{"metadata":{"name":"fw","resourceVersion":"1"},"spec":{"taskRoles":[{"name":"w","taskNumber":2}]},"status":{"attemptStatus":{"instanceUID":"0_a","taskRoleStatuses":[{"name":"w","taskStatuses":[
 {"index":0,"attemptStatus":{"podUID":"uid-7","podIP":"10.0.0.1"}},{"index":1,"attemptStatus":{"podUID":"uid-2"%s}}]}]}}}`

// Exit codes, files and the time limits in environment variables must match
// those of the original barrier.
func TestCodesAndFilesOfTheBarrierAreThoseOfOpenPAI(t *testing.T) {
	t.Parallel()
	framework := func(second string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			switch {
			case !strings.HasPrefix(r.URL.Path, "/apis/frameworkcontroller.microsoft.com/v1/namespaces/ml/frameworks"):
				_, _ = w.Write([]byte(`{"metadata":{"resourceVersion":"1"}}`))
			case r.URL.Query().Get("watch") == "":
				_, _ = fmt.Fprintf(w, twoTasks, second)
			default:
				<-r.Context().Done()
			}
		}
	}
	b := gangBox(t, framework(`,"podIP":"10.0.0.2"`))
	b.run(0)
	for name, want := range map[string]string{"pai/framework.json": `"podIP":"10.0.0.2"`, "pai/injector.sh": "export FB_W_IPS=10.0.0.1,10.0.0.2\n", "pai/hosts.json": `"host_ip":"10.0.0.2"`} {
		if got := b.read(name); !strings.Contains(got, want) {
			t.Errorf("%s\n%s", name, got)
		}
	}
	b = gangBox(t, framework(""))
	b.run(251)
	b.expect("1 of 2 tasks are missing: w[1] (its Pod is not on a node yet: unscheduled)")
	b = gangBox(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "{}", http.StatusNotFound) })
	b.run(252)
	b = gangBox(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "{}", http.StatusBadGateway) })
	b.run(250)
	b.env["BARRIER_CHECK_INTERVAL_SEC"] = "4"
	b.run(252)
	b.expect(`BARRIER_CHECK_INTERVAL_SEC is "4"; it must be a number of seconds from 5 to 1200`)
}

func TestTheBarrierHasDefaultTimes(t *testing.T) {
	t.Parallel()
	env := map[string]string{}
	getenv := func(name string) string { return env[name] }
	if interval, timeout, err := barrierTimes(getenv, 0); interval != 10*time.Second || timeout != 10*time.Minute || err != nil {
		t.Error(interval, timeout, err)
	}
	env["BARRIER_CHECK_INTERVAL_SEC"], env["BARRIER_CHECK_TIMEOUT_SEC"] = "5", "1200"
	if interval, timeout, err := barrierTimes(getenv, 0); interval != 5*time.Second || timeout != 20*time.Minute || err != nil {
		t.Error(interval, timeout, err)
	}
	if _, timeout, err := barrierTimes(getenv, 5000); timeout != 5000*time.Second || err != nil {
		t.Error(timeout, err)
	}
	env["BARRIER_CHECK_TIMEOUT_SEC"] = "59"
	if _, _, err := barrierTimes(getenv, 0); err == nil {
		t.Error("59 seconds pass")
	}
}

// In OpenPAI's original runtime, every task checks its image in the registry.
func TestOneTaskOfARoleChecksTheImage(t *testing.T) {
	t.Parallel()
	requests := make(chan struct{}, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests <- struct{}{}
		w.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(s.Close)
	for index, want := range map[string]int{"0": 254, "1": 0} {
		b := newBox(t)
		b.env["RUNTIME_CONFIG"] = "commands: [a]\nimage: " + strings.TrimPrefix(s.URL, "http://") + "/a/b:1"
		b.env["FC_TASK_INDEX"] = index
		b.run(want)
	}
	if n := len(requests); n != 1 {
		t.Errorf("%d requests", n)
	}
}

// A registry that does not respond must not fail a task: the node may already
// have the image. If a pull fails, the node retries it.
func TestARegistryThatDoesNotAnswerFailsNoTask(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.env["RUNTIME_CONFIG"] = "commands: [a]\nimage: 127.0.0.1:1/a/b:1"
	b.run(0)
	b.expect("imageChecker: cannot determine whether the image exists; the task continues: 127.0.0.1:1/a/b:1: ask the registry: ")
}
