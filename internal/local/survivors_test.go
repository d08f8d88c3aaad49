// SPDX-License-Identifier: MPL-2.0

package local

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/local/task"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// killsRuntime is a script that kills the process of its task.
const killsRuntime = `kill -KILL $(sed -n 's/.*"pid": \([0-9]*\).*/\1/p' ../process.json); sleep 300`

// A script can write an exit record and then kill the runtime. The signal
// that killed the runtime must take precedence over the record.
func TestAForgedRecordIsNotBelieved(t *testing.T) {
	t.Parallel()
	const record = `{"code":0,"user_code":0,"phrase":"Succeeded","reason":"the task succeeded","stage":"commands"}`
	w := newWorld(t)
	job := newJob("forged", newRole("worker", "[ $FC_FRAMEWORK_ATTEMPT_ID = 0 ] || exit 4; printf '%s' '"+record+"' > ../exit.json; "+killsRuntime))
	w.apply(job)
	st := w.finished(job)
	if st.State != planner.StateFailed || st.UserCode == nil || *st.UserCode != 4 {
		t.Fatalf("status %+v", st)
	}
	if exit := st.TaskRoles[0].Tasks[0].Attempts[0].Exit; exit.Code != 137 || !strings.Contains(exit.Reason, "signal 9") {
		t.Errorf("the first attempt ended with %+v", exit)
	}
}

func TestTheEndOfTheProcessComesBeforeTheRecord(t *testing.T) {
	t.Parallel()
	codes := framework.Codes(exitspec.Entries())
	for name, test := range map[string]struct {
		record *exitspec.Record
		end    *task.End
		want   int32
	}{
		"both agree":                            {&exitspec.Record{Code: 255}, &task.End{Code: 255}, 255},
		"a record of success, and another code": {&exitspec.Record{}, &task.End{Code: 3}, 3},
		"a record of success, and a signal":     {&exitspec.Record{}, &task.End{Code: 137, Signal: syscall.SIGKILL}, 137},
		"an adopted task":                       {&exitspec.Record{}, nil, 0},
		"an adopted task without a record":      {nil, nil, framework.CodePodDeleted},
		"no record":                             {nil, &task.End{Code: 9}, 9},
	} {
		dir := store.TaskDir(t.TempDir())
		if test.record != nil {
			if err := store.WriteJSON(dir.Exit(), test.record); err != nil {
				t.Fatal(err)
			}
		}
		p := &pod{dir: dir, end: test.end}
		if got := p.completion(codes); got.Code != test.want {
			t.Errorf("%s: %+v, want code %d", name, got, test.want)
		}
		if refused := test.record != nil && test.end != nil && test.end.Code != test.record.Code; store.Exists(dir.Exit()) == (refused || test.record == nil) {
			t.Errorf("%s: the record exists: %v", name, !refused)
		}
	}
}

func TestNothingSurvivesItsTask(t *testing.T) {
	t.Parallel()
	if !process.CanAdoptOrphans {
		t.Log("this system does not reparent orphans to the supervisor")
		return
	}
	w := newWorld(t)
	pidFile := filepath.Join(w.dir, "pid")
	// The first process and its children have an empty environment and leave the
	// session.
	escape := fmt.Sprintf(`[ $FC_FRAMEWORK_ATTEMPT_ID = 0 ] || exit 0
setsid env -i PATH="$PATH" sh -c 'setsid sh -c "echo \$\$ > %s; exec sleep 300" & exec sleep 301' &
while [ ! -s %s ]; do sleep 0.02; done; `, pidFile, pidFile)
	job := newJob("survivor", newRole("worker", escape+killsRuntime))
	w.apply(job)
	w.finished(job)
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		if _, err := process.Identify(pid); err != nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %d survived its task", pid)
		}
	}
}
