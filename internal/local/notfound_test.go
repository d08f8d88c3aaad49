// SPDX-License-Identifier: MPL-2.0

package local

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
)

func TestErrorsShowWhatDoesNotExist(t *testing.T) {
	t.Parallel()
	const unknown = "0123456789abcdef0123456789abcdef"
	w := newWorld(t)
	job := newJob("over", newRole("worker", "true"))
	w.apply(job)
	w.finished(job)
	logs := func(r cluster.LogRequest) error { return w.Logs(w.ctx, r, io.Discard) }
	of := func(role string, index int) string {
		return fmt.Sprintf("logs of task %s[%d] of Framework %s: ", role, index, job.Framework)
	}
	for name, tt := range map[string]struct {
		err  error
		want string
	}{
		"a job":           {second(w.Status(w.ctx, unknown)), "Framework " + unknown + " does not exist"},
		"an owner":        {second(w.Holder(w.ctx, unknown)), "Framework " + unknown + " does not exist"},
		"a name":          {second(w.Status(w.ctx, "../x")), `Framework "../x" does not exist: the name is not valid`},
		"a run":           {second(w.Cluster.Run(w.ctx, "lab", history.Key{Framework: unknown, Number: 7})), "the history has no run " + history.Key{Framework: unknown, Number: 7}.String()},
		"a role":          {logs(cluster.LogRequest{Framework: job.Framework, Role: "ps", JobAttempt: -1, Attempt: -1}), of("ps", 0) + `the job has no task role "ps"`},
		"a task":          {logs(cluster.LogRequest{Framework: job.Framework, Role: "worker", Index: 3, JobAttempt: -1, Attempt: -1}), of("worker", 3) + "the task does not exist: the role has 1 task"},
		"an attempt":      {logs(cluster.LogRequest{Framework: job.Framework, Role: "worker", JobAttempt: -1, Attempt: 4}), of("worker", 0) + "the task has no attempt 5"},
		"a job's attempt": {logs(cluster.LogRequest{Framework: job.Framework, Role: "worker", JobAttempt: 2, Attempt: -1}), of("worker", 0) + "the task has no attempts in attempt 3 of the job"},
	} {
		if !errors.Is(tt.err, cluster.ErrNotFound) || tt.err.Error() != tt.want {
			t.Errorf("%s: error %v, want %q", name, tt.err, tt.want)
		}
	}
}

func second[T any](_ T, err error) error { return err }
