// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/history"
)

// logsOf is a cluster on which all tasks have the same logs.
type logsOf struct {
	cluster.Cluster
	texts map[cluster.Stream]string
}

func (l logsOf) Logs(_ context.Context, r cluster.LogRequest, w io.Writer) error {
	_, err := io.WriteString(w, l.texts[r.Stream])
	return err
}

// oneTask returns the status of a job with one completed task.
func oneTask(exit *exitspec.Record) *cluster.Status {
	return &cluster.Status{Framework: "f", TaskRoles: []cluster.TaskRole{{
		Name: "worker", Tasks: []cluster.Task{{Attempts: []cluster.TaskAttempt{{Exit: exit}}}},
	}}}
}

func TestTheKeptLogContainsTheCause(t *testing.T) {
	t.Parallel()
	const at = "[Mon Nov 23 13:56:40 UTC 2026] [openpai-runtime] "
	const runtime = at + "[INFO] Running prerequisite.data.tools\n" + at + "installing\n" + at + "[INFO] Running prerequisite.data.bad\n" + at + "no such host\n"
	failed := exitspec.Record{Code: 255, Stage: "prerequisites", Step: "prerequisite.data.bad", LastLines: []string{"no such host"}}
	silent := failed
	silent.LastLines, silent.Reason = nil, "the start of prerequisite.data.bad timed out"
	long := strings.Repeat(at+"0123456789\n", maxExcerpts/10)
	for name, c := range map[string]struct {
		texts map[cluster.Stream]string
		exit  exitspec.Record
		want  []history.Log
	}{
		"a prerequisite failed": {
			map[cluster.Stream]string{cluster.StreamRuntime: runtime}, failed,
			[]history.Log{{Role: "worker", Step: "prerequisite.data.bad", Tail: "no such host\n"}},
		},
		"a prerequisite failed without output": {
			nil, silent,
			[]history.Log{{Role: "worker", Step: "prerequisite.data.bad", Tail: silent.Reason + "\n"}},
		},
		"the commands failed": {
			map[cluster.Stream]string{cluster.StreamAll: "oops\n", cluster.StreamRuntime: runtime}, exitspec.Record{Code: 255, Stage: "commands"},
			[]history.Log{{Role: "worker", Tail: "oops\n"}},
		},
		"a long output is cut": {
			map[cluster.Stream]string{cluster.StreamRuntime: long}, failed,
			[]history.Log{{Role: "worker", Step: "prerequisite.data.bad", Tail: strings.Repeat("0123456789\n", excerptLines)}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := excerpts(t.Context(), logsOf{texts: c.texts}, oneTask(&c.exit))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
