// SPDX-License-Identifier: MPL-2.0

//go:build e2e && acc

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// job returns a job with one task that runs a script. All jobs have the same name,
// to test that a job does not receive files of the previous job from the node.
func job(script string) string {
	return fmt.Sprintf(`
prerequisite "dockerimage" "shell" {
  uri = "%s/shell:e2e"
}

variable "word" {
  type      = string
  sensitive = true
  default   = "mellon"
}

secret "word" {
  value = var.word
}

job "steps" {
  cluster = "e2e"

  task_role "worker" {
    image = prerequisite.dockerimage.shell
    commands = [<<-EOT
    %s
    EOT
    ]

    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 64
    }
  }
}
`, images, strings.ReplaceAll(script, "\n", "\n    "))
}

func TestAFailedTaskLeavesItsLastLines(t *testing.T) {
	s := newSpace(t, "fails", job("echo the secret is ${secret.word}\necho cannot continue\nexit 7"))
	s.must(0, "apply", "--auto-approve")
	wait := s.follow()
	s.must(1, "wait")
	wait()
	st := s.status()
	if st.State != planner.StateFailed || st.UserCode == nil || *st.UserCode != 7 || !strings.Contains(st.Reason, "exited with code 7") {
		t.Errorf("status %+v", st)
	}
	out := s.must(0, "logs")
	if !strings.Contains(out, "cannot continue") || strings.Contains(out, "mellon") {
		t.Errorf("logs of a deleted Pod:\n%s", out)
	}
	s.must(0, "destroy", "--auto-approve")
}

func withSSH(job string) string {
	return strings.Replace(job, `  cluster = "e2e"
`, `  cluster = "e2e"

  plugin "ssh" {
    parameters = { jobssh = true }
  }
`, 1)
}

func TestSSHRunsCommandsInARunningTask(t *testing.T) {
	s := newSpace(t, "login", withSSH(job("until [ -e /tmp/end ]; do sleep 0.1; done")))
	s.must(0, "apply", "--auto-approve")
	wait := s.follow()
	if code, out, errs := s.openpai("ssh", "--", "echo task $PAI_TASK_INDEX; echo err >&2; exit 3"); code != 3 || out != "task 0\n" || !strings.HasSuffix(errs, "err\n") {
		t.Errorf("ssh: code %d, output %q, errors %q", code, out, errs)
	}
	s.must(0, "ssh", "--", ": > /tmp/end")
	s.must(0, "wait")
	wait()
	s.must(0, "destroy", "--auto-approve")
}

func TestExecAndLogsWorkWhileATaskRuns(t *testing.T) {
	s := newSpace(t, "runs", job("echo begun\ntouch=/tmp/end\nuntil [ -e $touch ]; do sleep 0.1; done\necho ended"))
	s.must(0, "apply", "--auto-approve")
	wait := s.follow()
	s.must(0, "wait", "--for", "running", "--timeout", "30s")
	for deadline := time.Now().Add(patience); !strings.Contains(s.must(0, "logs"), "begun"); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the log of the Pod does not contain the output of the task")
		}
	}
	if code, out, errs := s.openpai("exec", "--", "sh", "-c", "echo out; echo err >&2; exit 3"); code != 3 || out != "out\n" || errs != "err\n" {
		t.Errorf("exec: code %d, output %q, errors %q", code, out, errs)
	}
	if out := s.must(0, "exec", "--", "sh", "-c", "[ ! -e /var/run/secrets/kubernetes.io ] && echo no token"); out != "no token\n" {
		t.Errorf("a task has a service account token: %q", out)
	}
	if code, _, errs := s.openpai("exec", "--index", "1", "--", "true"); code != 125 || !strings.Contains(errs, "task worker[1] does not exist: job.") {
		t.Errorf("a task that does not exist: code %d, errors %q", code, errs)
	}
	s.must(0, "exec", "--role", "worker", "--", "sh", "-c", ": > /tmp/end")
	s.must(0, "wait")
	wait()
	if code, _, errs := s.openpai("exec", "--", "true"); code != 125 || !strings.Contains(errs, "job.steps is not running (SUCCEEDED)") {
		t.Errorf("a finished job: code %d, errors %q", code, errs)
	}
	s.must(0, "destroy", "--auto-approve")
}
