// SPDX-License-Identifier: MPL-2.0

package local

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/task"
)

// exec runs script in the first worker.
func (w *world) exec(framework, script string, size *cluster.TerminalSize) (out, problems string, code int, err error) {
	w.Helper()
	var stdout, stderr bytes.Buffer
	r := cluster.ExecRequest{
		Framework: framework, Role: "worker", Command: []string{"sh", "-c", script},
		Stdin: strings.NewReader("typed\n"), Stdout: &stdout, Stderr: &stderr, Terminal: size != nil,
	}
	sizes := []*cluster.TerminalSize{size, nil}
	r.Size = func() *cluster.TerminalSize {
		next := sizes[0]
		sizes = sizes[1:]
		return next
	}
	code, err = w.Exec(w.ctx, r)
	return stdout.String(), stderr.String(), code, err
}

func TestExecRunsInTheEnvironmentOfTheTask(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	storage := filepath.Join(t.TempDir(), "only", "in", "the", "task")
	role := newRole("worker", "export BEFORE=exported; echo ready; sleep 600")
	if task.CanMount() {
		onStorage(role, "shared", "data/shared", storage, false)
	} else {
		storage = filepath.Join(w.dir, "data/shared")
	}
	job := newJob("entered", role)
	w.apply(job)
	w.awaitOutput(job, "worker", 0, "ready\n")
	for title, c := range map[string]struct {
		script     string
		size       *cluster.TerminalSize
		out, error string
		code       int
	}{
		"both streams and the code":           {"echo out; echo err >&2; exit 7", nil, "out\n", "err\n", 7},
		"what is typed":                       {"read x; echo got $x", nil, "got typed\n", "", 0},
		"the directory of the task":           {"basename $(pwd)", nil, "work\n", "", 0},
		"the variables of the task":           {"echo $PAI_CURRENT_TASK_ROLE_NAME", nil, "worker\n", "", 0},
		"the storage at its path in the task": {"test -d " + storage + " && echo there", nil, "there\n", "", 0},
		"quotes reach the command":            {`printf '%s\n' "a  'b'"`, nil, "a  'b'\n", "", 0},
		"a signal":                            {"kill -9 $$", nil, "", "", 137},
		"a terminal of the requested size":    {"stty size", &cluster.TerminalSize{Width: 97, Height: 31}, "31 97\r\n", "", 0},
	} {
		t.Run(title, func(t *testing.T) {
			out, stderr, code, err := w.exec(job.Framework, c.script, c.size)
			if c.size != nil && strings.Contains(out, c.out) {
				out = c.out // the terminal echoes its input before or after the output
			}
			if err != nil || out != c.out || stderr != c.error || code != c.code {
				t.Errorf("%q, %q, %d, %v; want %q, %q, %d", out, stderr, code, err, c.out, c.error, c.code)
			}
		})
	}
}

func TestExecInAnEndedTaskReturnsNotFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := newJob("over", newRole("worker", "true"))
	w.apply(job)
	w.finished(job)
	if _, _, _, err := w.exec(job.Framework, "true", nil); !errors.Is(err, cluster.ErrNotFound) {
		t.Errorf("%v", err)
	}
}
