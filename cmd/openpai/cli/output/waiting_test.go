// SPDX-License-Identifier: MPL-2.0

package output

import (
	"bytes"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

func TestEachReasonToWaitIsPrintedOnce(t *testing.T) {
	t.Parallel()
	var tasks []cluster.Task
	for i, waiting := range []string{"no node has a GPU", "no node has a GPU", "", "no node has a GPU", "the image cannot be pulled"} {
		tasks = append(tasks, cluster.Task{Index: i, Attempts: []cluster.TaskAttempt{{Waiting: waiting}}})
	}
	var out bytes.Buffer
	showWaiting(&out, &cluster.Status{TaskRoles: []cluster.TaskRole{{Name: "worker", Tasks: tasks}}})
	const want = "  waiting: worker[0] and 2 more: no node has a GPU\n  waiting: worker[4]: the image cannot be pulled\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestTroubleOfAJobIsPrintedWhenItChanges(t *testing.T) {
	t.Parallel()
	var errs bytes.Buffer
	report := ProblemPrinter(&errs, operation.Job{Address: "job.a"})
	for _, problem := range []string{"", "down", "down", "", "down"} {
		report(&cluster.Status{Problem: message.Textf("%s", problem)})
	}
	if got := errs.String(); got != "job.a: down\njob.a: down\n" {
		t.Errorf("got %q", got)
	}
}
