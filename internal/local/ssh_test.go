// SPDX-License-Identifier: MPL-2.0

package local

import (
	"bytes"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/ssh"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func (w *world) withSSH(job *resolve.Job, parameters map[string]any) *ssh.JobKey {
	w.Helper()
	for _, r := range job.TaskRoles {
		r.Steps = append(r.Steps, &resolve.Step{Address: "plugin.ssh", Name: "ssh", Plugin: contract.PluginSSH, FailurePolicy: "fail", Parameters: parameters})
	}
	text, err := ssh.NewJobKey(rand.Reader)
	if err != nil {
		w.Fatal(err)
	}
	if err := w.Create(w.ctx, submission(job, map[string]string{contract.SecretJobKey: text})); err != nil {
		w.Fatal(err)
	}
	key, err := ssh.ParseJobKey(text)
	if err != nil {
		w.Fatal(err)
	}
	return key
}

// over runs a command in a task over ssh.
func (w *world) over(t cluster.SSHTask, key *ssh.JobKey, command string) string {
	w.Helper()
	client, err := ssh.Dial(w.ctx, t.Address, key)
	if err != nil {
		w.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	session, err := client.NewSession()
	if err != nil {
		w.Fatal(err)
	}
	var errs bytes.Buffer
	session.Stderr = &errs
	out, err := session.Output(command)
	if err != nil {
		w.Fatalf("%v\n%s", err, errs.String())
	}
	return string(out)
}

func TestTasksConnectWithSSH(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	role := newRole("Work_er", `echo started; while [ ! -e "$HERE/leave" ]; do sleep 0.02; done`)
	role.Instances, role.Environment = 2, map[string]string{"HERE": w.dir}
	job := newJob("shell", role)
	key := w.withSSH(job, map[string]any{"jobssh": true, "sshbarrier": true})
	w.awaitOutput(job, "worker", 1, "started")
	w.awaitOutput(job, "worker", 0, "started")
	access, err := w.SSH(w.ctx, job.Framework)
	if err != nil || len(access.Tasks) != 2 {
		t.Fatalf("access %+v, error %v", access, err)
	}
	for i, task := range access.Tasks {
		if !strings.HasPrefix(task.Address, "127.0.0.1:") || task.Role != "Work_er" || task.Index != i || strings.Join(task.Names, " ") != "worker-"+string(rune('0'+i))+" Work_er-"+string(rune('0'+i)) {
			t.Errorf("task %+v", task)
		}
		if got := w.over(task, key, "echo $PAI_TASK_INDEX; grep -c HostName $PAI_SSH_CONFIG"); got != string(rune('0'+i))+"\n2\n" {
			t.Errorf("task %d prints %q", i, got)
		}
	}
	var log bytes.Buffer
	if err := w.Logs(w.ctx, cluster.LogRequest{Framework: job.Framework, Role: "worker", Index: 0, JobAttempt: -1, Attempt: -1, Stream: cluster.StreamRuntime}, &log); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "[INFO] start ssh service") {
		t.Error(log.String())
	}
	if err := os.WriteFile(filepath.Join(w.dir, "leave"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	w.finished(job)
	if access, err := w.SSH(w.ctx, job.Framework); err != nil || len(access.Tasks) != 0 {
		t.Errorf("after the end: access %+v, error %v", access, err)
	}
	private, err := filepath.Glob(filepath.Join(w.layout.JobSecrets(job.Framework), contract.SecretJobKey))
	if err != nil || len(private) != 1 {
		t.Fatalf("keys %v, error %v", private, err)
	}
	if info, err := os.Stat(private[0]); err != nil || info.Mode() != 0o600 {
		t.Errorf("the key has mode %v, error %v", info.Mode(), err)
	}
}

func TestAThirdPartyPluginOfTheWorkspaceRuns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dir := filepath.Join(w.dir, "plugins", "hello")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"desc.yaml": "name: hello\ninit-script: init\n", "init": "#!/bin/sh\necho 'export HELLO=world' >\"$2\"\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	role := newRole("worker", "echo hello $HELLO")
	role.Steps = []*resolve.Step{{Address: "plugin.custom/hello", Name: "custom/hello", Plugin: "custom/hello", FailurePolicy: "fail"}}
	job := newJob("plugin", role)
	w.apply(job)
	w.finished(job)
	if got := w.output(job, "worker", 0); got != "hello world\n" {
		t.Errorf("output %q", got)
	}
}
