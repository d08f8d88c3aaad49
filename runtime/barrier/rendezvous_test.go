// SPDX-License-Identifier: MPL-2.0

package barrier

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/runtime"
)

// gang returns the task with the given index. Each task uses a separate token.
func (s *server) gang(t *testing.T, index int) *Gang {
	return &Gang{
		API:       &API{Server: s.URL, Client: &http.Client{}, Token: func() (string, error) { return fmt.Sprint(index), nil }},
		Namespace: "default", Framework: "job", Attempt: "0_a", Role: "worker", Index: index, Rank: index, PodUID: fmt.Sprint("uid-", index),
		HostsMap: "job-hosts", Interval: 20 * time.Millisecond, Timeout: time.Minute,
		Warn: func(text string) { t.Log(index, text) },
	}
}

// meet runs the tasks concurrently and returns their results.
func meet(t *testing.T, gangs ...*Gang) ([]*Table, []error) {
	tables, errs := make([]*Table, len(gangs)), make([]error, len(gangs))
	var all sync.WaitGroup
	for i, g := range gangs {
		all.Go(func() { tables[i], errs[i] = g.Wait(t.Context()) })
	}
	all.Wait()
	return tables, errs
}

func want(tasks int) *Table {
	r := Role{Name: "worker"}
	for i := range tasks {
		r.Members = append(r.Members, Member{Index: i, IP: fmt.Sprint("10.0.0.", i), PodUID: fmt.Sprint("uid-", i), NodeIP: fmt.Sprint("10.9.0.", i)})
	}
	return &Table{Roles: []Role{r}}
}

func TestEveryTaskOfAGangReceivesTheTable(t *testing.T) {
	t.Parallel()
	s := newServer(t, job(4, 2))
	gangs := []*Gang{s.gang(t, 0), s.gang(t, 1), s.gang(t, 2), s.gang(t, 3)}
	for _, g := range gangs {
		g.Interval = time.Second
	}
	time.AfterFunc(50*time.Millisecond, func() { s.update(func() { s.framework = job(4, 4) }) })
	tables, errs := meet(t, gangs...)
	for i, table := range tables {
		if diff := cmp.Diff(want(4), table); diff != "" || errs[i] != nil {
			t.Errorf("task %d: %v (-want +got)\n%s", i, errs[i], diff)
		}
	}
	for i := 1; i < 4; i++ {
		if n := s.read(fmt.Sprint("frameworks Bearer ", i)); n > 0 {
			t.Errorf("task %d read the Framework %d times", i, n)
		}
	}
}

func TestAnotherTaskTakesOverFromAWatcherThatDied(t *testing.T) {
	t.Parallel()
	s := newServer(t, job(3, 2))
	first := s.gang(t, 0)
	ctx, kill := context.WithCancel(t.Context())
	gone := make(chan struct{})
	go func() {
		_, _ = first.Wait(ctx)
		close(gone)
	}()
	time.AfterFunc(100*time.Millisecond, func() {
		kill()
		<-gone
		s.update(func() { s.framework = job(3, 3) })
	})
	tables, errs := meet(t, s.gang(t, 1), s.gang(t, 2))
	for i := range tables {
		if diff := cmp.Diff(want(3), tables[i]); diff != "" || errs[i] != nil {
			t.Errorf("task %d: %v (-want +got)\n%s", i+1, errs[i], diff)
		}
	}
}

func TestTheTableOfAnEarlierAttemptDoesNotCount(t *testing.T) {
	t.Parallel()
	s := newServer(t, job(2, 2))
	if _, errs := meet(t, s.gang(t, 0)); errs[0] != nil {
		t.Fatal(errs[0])
	}
	next := job(2, 0)
	next["status"].(map[string]any)["attemptStatus"].(map[string]any)["instanceUID"] = "1_b"
	s.update(func() { s.framework = next })
	g := s.gang(t, 0)
	g.Attempt, g.Timeout = "1_b", 3*time.Second // on a busy machine, the first response may be delayed
	_, errs := meet(t, g)
	checkEnd(t, errs[0], codeTimeout, "2 of 2 tasks are missing: worker[0] (its Pod has not been created yet), worker[1] (its Pod has not been created yet)")
}

// A task without read permission must fail immediately. The error must contain the
// account and the verb.
func TestRefusalsEndTheMeeting(t *testing.T) {
	t.Parallel()
	const account = "e30.eyJzdWIiOiJzeXN0ZW06c2VydmljZWFjY291bnQ6bWw6am9iIn0.x"
	frameworks := func(code int) func(r *http.Request) int {
		return func(r *http.Request) int {
			if strings.Contains(r.URL.Path, "frameworks") {
				return code
			}
			return 0
		}
	}
	for name, c := range map[string]struct {
		deny func(r *http.Request) int
		code int
		text string
	}{
		"forbidden":             {frameworks(403), codePermanent, "system:serviceaccount:ml:job may not get Framework job in namespace default; grant the permission in a Role: because of the test"},
		"unauthorized":          {frameworks(401), codePermanent, "rejected the token of system:serviceaccount:ml:job: get Framework job"},
		"gone":                  {frameworks(404), codePermanent, "Framework job in namespace default does not exist"},
		"an outage":             {frameworks(503), codeTransient, "cannot reach the API server within 2s: get Framework job in namespace default: 503"},
		"no watch":              {func(r *http.Request) int { return map[bool]int{true: 403}[r.URL.Query().Get("watch") == "1"] }, codePermanent, "may not watch Framework job"},
		"everything is refused": {func(*http.Request) int { return 403 }, codePermanent, "may not get Framework job"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, job(2, 1))
			s.deny = c.deny
			g := s.gang(t, 0)
			g.Timeout = 2 * time.Second
			g.API.Token = func() (string, error) { return account, nil }
			if c.code == codePermanent {
				g.Timeout = time.Minute // a permanent error must end the wait much earlier
			}
			_, errs := meet(t, g)
			checkEnd(t, errs[0], c.code, c.text)
			if n := s.read("frameworks Bearer " + account); c.code == codePermanent && n > 8 {
				t.Errorf("asked %d times", n)
			}
		})
	}
}

func TestAnAccountWithoutTheTableWatchesItself(t *testing.T) {
	t.Parallel()
	s := newServer(t, job(3, 3))
	s.deny = func(r *http.Request) int {
		if strings.Contains(r.URL.Path, "configmaps") {
			return http.StatusForbidden
		}
		return 0
	}
	g := s.gang(t, 2)
	var warnings []string
	g.Interval, g.Warn = time.Minute, func(text string) { warnings = append(warnings, text) }
	tables, errs := meet(t, g)
	if diff := cmp.Diff(want(3), tables[0]); diff != "" || errs[0] != nil {
		t.Errorf("%v (-want +got)\n%s", errs[0], diff)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], "get ConfigMap job-hosts") {
		t.Errorf("warnings %q", warnings)
	}
}

func TestAtTheTimeoutEveryTaskNamesWhoIsMissingAndWhy(t *testing.T) {
	t.Parallel()
	fw := job(6, 2)
	tasks := fw["status"].(map[string]any)["attemptStatus"].(map[string]any)["taskRoleStatuses"].([]any)[0].(map[string]any)["taskStatuses"].([]any)
	set := func(i int, attempt map[string]any) { tasks[i].(map[string]any)["attemptStatus"] = attempt }
	set(2, map[string]any{"podUID": "uid-2"})
	set(3, map[string]any{"podUID": "uid-3", "podNodeName": "n3"})
	set(4, map[string]any{"podUID": "uid-4", "podIP": "10.0.0.4", "completionStatus": map[string]any{"code": 254, "phrase": "ContainerImageNotExists", "type": map[string]any{"name": "Failed"}}})
	tasks[5].(map[string]any)["deletionPending"] = true
	s := newServer(t, fw)
	gangs := []*Gang{s.gang(t, 0), s.gang(t, 1)}
	for _, g := range gangs {
		g.Timeout = 3 * time.Second // on a busy machine, the first response may be delayed
	}
	_, errs := meet(t, gangs...)
	for _, err := range errs {
		checkEnd(t, err, codeTimeout, "4 of 6 tasks are missing: worker[2] (its Pod is not on a node yet: unscheduled), "+
			"worker[3] (starting on node n3, which may still be pulling the image), worker[4] (failed with code 254 ContainerImageNotExists), worker[5] (being deleted)")
	}
}

func TestAStopEndsTheMeeting(t *testing.T) {
	t.Parallel()
	s := newServer(t, job(2, 1))
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := s.gang(t, 0).Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func checkEnd(t *testing.T, err error, code int, text string) {
	t.Helper()
	var end *runtime.BarrierError
	if !errors.As(err, &end) || end.Code != code || !strings.Contains(end.Reason, text) {
		t.Errorf("ended with %#v\nwant code %d and %q", err, code, text)
	}
}
