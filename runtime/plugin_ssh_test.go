// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	xssh "golang.org/x/crypto/ssh"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/internal/ssh"
	"github.com/openpai/terraform-provider-openpai/runtime/check/porttest"
)

// ssh adds the ssh plugin, a job key and a free port to the task.
func (r *rig) ssh(parameters map[string]any) *ssh.JobKey {
	r.t.Helper()
	text, err := ssh.NewJobKey(rand.Reader)
	if err != nil {
		r.t.Fatal(err)
	}
	return r.sshWith(text, parameters)
}

func (r *rig) sshWith(key string, parameters map[string]any) *ssh.JobKey {
	r.t.Helper()
	r.secret(contract.SecretJobKey, key)
	r.sshPort()
	r.plugin("ssh", parameters)
	parsed, err := ssh.ParseJobKey(key)
	if err != nil {
		r.t.Fatal(err)
	}
	return parsed
}

func (r *rig) sshPort() {
	r.t.Helper()
	r.config.Self.Ports = map[string][]int{"ssh": {porttest.Free(r.t)}, "http": {1}}
	r.config.Listen = "127.0.0.1"
}

func (r *rig) sshAddress() string {
	return fmt.Sprintf("127.0.0.1:%d", r.config.Self.Ports["ssh"][0])
}

// command runs a command in the task over ssh.
func (r *rig) command(key *ssh.JobKey, command string) string {
	r.t.Helper()
	client, err := ssh.Dial(r.t.Context(), r.sshAddress(), key)
	if err != nil {
		r.t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	session, err := client.NewSession()
	if err != nil {
		r.t.Fatal(err)
	}
	out, err := session.CombinedOutput(command)
	if err != nil {
		r.t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// appears waits until a file exists in the working directory.
func (r *rig) appears(name string) {
	r.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(2 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(r.config.WorkDir, name)); err == nil {
			return
		}
		if time.Now().After(deadline) {
			r.t.Fatalf("%s never appears\n%s", name, r.log())
		}
	}
}

// In OpenPAI's original runtime, the ssh plugin installs packages in the image.
// The order is: prerequisite, built-in service, user's commands (case A1 in the
// specification). A client receives the task's environment.
func TestTheSSHServiceStartsBetweenCallbacksAndCommands(t *testing.T) {
	t.Parallel()
	r := newRig(t, ">running", "while [ ! -e leave ]; do sleep 0.01; done")
	r.config.Reap = false
	r.step("justecho", on("taskStarts", "echo 111", "echo 222", "export DATA_DIR=/data"), on("taskSucceeds", "echo 333", "echo 444"))
	key := r.ssh(map[string]any{"jobssh": true})
	r.spec.Environment = map[string]string{"COLOR": "green"}
	r.secret("token", "a-secret-token")
	ended := make(chan exitspec.Record, 1)
	go func() { ended <- r.run() }()
	r.appears("running")
	want := "/data green alice~job 0 " + r.config.WorkDir + "\n"
	if got := r.command(key, "echo $DATA_DIR $COLOR $PAI_JOB_NAME $PAI_TASK_INDEX $PWD"); got != want {
		t.Errorf("the session printed %q, want %q", got, want)
	}
	_ = r.command(key, "sleep 1000 >/dev/null 2>&1 &")
	if err := os.WriteFile(filepath.Join(r.config.WorkDir, "leave"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if record := <-ended; record.Code != 0 {
		t.Errorf("record %+v", record)
	}
	log := strings.Split(strings.TrimSpace(r.log()), "\n")
	order := []string{
		"[INFO] Starting to exec precommands", "[INFO] Running prerequisite.script.justecho", "111", "222",
		"[INFO] Running plugin.ssh", "[INFO] start ssh service",
		"[WARNING] jobssh and sshbarrier have no effect: without gang allocation, tasks do not receive the addresses of other tasks",
		"[INFO] Precommands finished", "[INFO] USER COMMAND START", "[INFO] USER COMMAND END",
		"[INFO] Running taskSucceeds of prerequisite.script.justecho", "333", "444",
	}
	var without []string
	for _, line := range log {
		if !strings.HasPrefix(line, "[INFO] ssh session from 127.0.0.1:") {
			without = append(without, line)
		}
	}
	if strings.Join(without, "\n") != strings.Join(order, "\n") {
		t.Errorf("log\n%s\nwant\n%s", strings.Join(without, "\n"), strings.Join(order, "\n"))
	}
	if _, err := ssh.Dial(t.Context(), r.sshAddress(), key); err == nil {
		t.Error("the service outlives the task")
	}
}

// In OpenPAI's original runtime, a single key gives access to all users' jobs.
func TestEveryValidDeclaredKeyMayLogIn(t *testing.T) {
	t.Parallel()
	r := newRig(t, ">running", "while [ ! -e leave ]; do sleep 0.01; done")
	keys := map[string]string{}
	line := func(who string) string {
		text, err := ssh.NewJobKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		keys[who] = text
		key, err := ssh.ParseJobKey(text)
		if err != nil {
			t.Fatal(err)
		}
		return string(xssh.MarshalAuthorizedKey(key.Public()))
	}
	stranger := line("a stranger")
	operator := filepath.Join(r.config.Root, "ssh-secret")
	if err := os.MkdirAll(operator, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(operator, "admin"), []byte(line("system")), 0o600); err != nil {
		t.Fatal(err)
	}
	r.secret("key", line("publicKeys"))
	r.ssh(map[string]any{"publicKeys": []any{"<% $secrets.key %>", "command=\"true\" " + stranger}, "userssh": map[string]any{"type": "custom", "value": line("userssh")}})
	r.plugin("ssh", map[string]any{"userssh": map[string]any{"type": "system", "value": "admin"}})
	r.plugin("ssh", map[string]any{"userssh": line("userssh, a string")})
	r.spec.SSHPublicKeys = []string{line("ssh_public_keys")}
	ended := make(chan exitspec.Record, 1)
	go func() { ended <- r.run() }()
	r.appears("running")
	for who, key := range keys {
		client, err := dialAs(r.sshAddress(), r.read("secrets/"+contract.SecretJobKey), key)
		if (err == nil) != (who != "a stranger") {
			t.Errorf("%s: error %v", who, err)
		}
		if err == nil {
			_ = client.Close()
		}
	}
	if err := os.WriteFile(filepath.Join(r.config.WorkDir, "leave"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if record := <-ended; record.Code != 0 || !strings.Contains(r.log(), "[WARNING] ignoring a public key: the public key SHA256:") || strings.Count(r.log(), contract.LogStartSSH) != 1 {
		t.Errorf("record %+v\n%s", record, r.log())
	}
}

// dialAs logs in with a key other than the job key.
func dialAs(address, jobKey, key string) (*xssh.Client, error) {
	job, err := ssh.ParseJobKey(jobKey)
	if err != nil {
		return nil, err
	}
	signer, err := xssh.ParsePrivateKey([]byte(key))
	if err != nil {
		return nil, err
	}
	return xssh.Dial("tcp", address, &xssh.ClientConfig{
		User: "root", Auth: []xssh.AuthMethod{xssh.PublicKeys(signer)}, HostKeyCallback: xssh.FixedHostKey(job.Host()), Timeout: time.Minute,
	})
}

// togetherWith joins the tasks into one gang with ssh. Each task has a separate
// role.
func togetherWith(parameters map[string]any, rigs ...*rig) {
	key, err := ssh.NewJobKey(rand.Reader)
	if err != nil {
		panic(err)
	}
	var hosts runspec.Hosts
	var roles []runspec.Role
	for i, r := range rigs {
		name := fmt.Sprintf("role%d", i)
		r.sshWith(key, parameters)
		r.spec.Role, r.spec.Gang = name, true
		hosts.Tasks = append(hosts.Tasks, runspec.Host{Role: name, IP: "127.0.0.1", HostIP: "127.0.0.1", Ports: r.config.Self.Ports})
		roles = append(roles, runspec.Role{Name: name, Written: strings.ToUpper(name), Tasks: 1, SSH: true, SSHBarrier: parameters["sshbarrier"] == true, Ports: r.spec.Roles[0].Ports})
	}
	for _, r := range rigs {
		r.spec.Roles, r.config.Barrier = roles, met{&hosts}
	}
}

// met is a barrier through which all tasks have already passed.
type met struct{ hosts *runspec.Hosts }

func (m met) Wait(context.Context, runspec.Host) (*runspec.Hosts, error) { return m.hosts, nil }

func TestTasksReachEachOtherBySSH(t *testing.T) {
	t.Parallel()
	a, b := newRig(t, "echo $PAI_SSH_CONFIG; cat $PAI_SSH_CONFIG; cd $(dirname $PAI_SSH_CONFIG); ls -l id_ed25519 | cut -c1-10; cd - >/dev/null", ">running", "while [ ! -e leave ]; do sleep 0.01; done"), newRig(t, "true")
	togetherWith(map[string]any{"jobssh": true, "sshbarrier": true, "sshbarrierTimeout": 1.0}, a, b)
	ended := make(chan exitspec.Record, 2)
	for _, r := range []*rig{a, b} {
		go func() { ended <- r.run() }()
	}
	a.appears("running")
	if err := os.WriteFile(filepath.Join(a.config.WorkDir, "leave"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if record := <-ended; record.Code != 0 {
			t.Errorf("record %+v", record)
		}
	}
	dir := filepath.Join(a.config.Root, "ssh")
	for _, want := range []string{filepath.Join(dir, "config"), "Host role1-0 ROLE1-0\n  HostName 127.0.0.1\n", "IdentityFile \"" + dir, "\n-rw-------\n"} {
		if !strings.Contains(a.output(), want) {
			t.Errorf("%q is not in\n%s", want, a.output())
		}
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the key outlives the task")
	}
	if !strings.Contains(a.log(), "[INFO] the ssh service of every task is reachable\n[INFO] Precommands finished") {
		t.Error(a.log())
	}
}

func TestTheSSHBarrierEndsWithItsOwnCode(t *testing.T) {
	t.Parallel()
	r, missing := newRig(t, "echo user >>trace"), newRig(t)
	togetherWith(map[string]any{"sshbarrier": true, "sshbarrierTimeout": "0.005"}, r, missing)
	record := r.run()
	if record.Code != exitspec.CodeSSHBarrierTimeout || record.UserCode != 249 || !strings.Contains(record.Reason, "waited 300ms for the ssh services of all tasks: role1-0 has not reported its ssh service") || r.trace() != "" {
		t.Errorf("trace %q, record %+v", r.trace(), record)
	}
}

// In OpenPAI's original runtime, the plugin crashes if optional parameters are missing.
func TestOptionalSSHParametersMayBeAbsent(t *testing.T) {
	t.Parallel()
	for name, parameters := range map[string]map[string]any{
		"nothing is given": nil, "userssh is empty": {"userssh": map[string]any{}, "publicKeys": []any{}}, "userssh is null": {"userssh": nil},
	} {
		r := newRig(t, "true")
		r.ssh(parameters)
		if record := r.run(); record.Code != 0 || !strings.Contains(r.log(), contract.LogStartSSH) {
			t.Errorf("%s: record %+v\n%s", name, record, r.log())
		}
	}
}

func TestTasksOfAGangNeedTheKeyOfTheJob(t *testing.T) {
	t.Parallel()
	r := newRig(t, "echo user >>trace")
	togetherWith(map[string]any{"jobssh": true}, r)
	r.spec.Secrets = nil
	if record := r.run(); record.Code == 0 || r.trace() != "" || !strings.Contains(record.Reason, "the task does not have the job's ssh key") {
		t.Errorf("trace %q, record %+v", r.trace(), record)
	}
}

func TestAStopEndsTheSSHBarrier(t *testing.T) {
	t.Parallel()
	r, missing := newRig(t, "echo user >>trace"), newRig(t)
	togetherWith(map[string]any{"sshbarrier": true}, r, missing)
	r.spec.Steps[0].Callbacks = []runspec.Callback{on("taskExits", "echo exits")}
	go func() {
		for !strings.Contains(r.stderr.String(), contract.LogStartSSH) && t.Context().Err() == nil {
			time.Sleep(time.Millisecond)
		}
		r.signals <- syscall.SIGTERM
	}()
	if record := r.run(); !record.Stopped || r.trace() != "" || !strings.HasSuffix(r.log(), "exits\n") {
		t.Errorf("record %+v\n%s", record, r.log())
	}
}

// OpenPAI's original runtime exposes keys on command lines and in logs.
func TestTheKeyOfTheJobIsNotShown(t *testing.T) {
	t.Parallel()
	r := newRig(t, "cat $(dirname $PAI_SSH_CONFIG)/id_ed25519; env; cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' || :")
	togetherWith(map[string]any{"jobssh": true}, r)
	if record := r.run(); record.Code != 0 {
		t.Fatalf("record %+v\n%s", record, r.log())
	}
	key := strings.Split(r.read("secrets/"+contract.SecretJobKey), "\n")
	for _, line := range key[1 : len(key)-2] {
		for _, name := range []string{"logs/user-all/current", "logs/runtime.log", "record.json"} {
			if bytes.Contains([]byte(r.read(name)), []byte(line)) {
				t.Errorf("%s shows the key", name)
			}
		}
	}
}

// Programs such as mpirun call the image's ssh client to connect to other
// tasks. In a container, the task changes the system-wide ssh configuration. A
// task that may not change the system configuration uses wrapper programs.
func TestClientsReadTheHostsOfTheJobWithoutOptions(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "ssh"), []byte("#!/bin/sh\necho \"ssh $*\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, system := range map[string]bool{"a container": true, "a process": false} {
		r := newRig(t, "ssh role0-0 hostname")
		r.config.Environ = append(r.config.Environ, "PATH="+bin+":"+os.Getenv("PATH"))
		file := filepath.Join(t.TempDir(), "ssh_config")
		if system {
			r.config.SSHConfig = file
			if err := os.WriteFile(file, []byte("Host *\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			r.spec.Commands = append(r.spec.Commands, "cat "+file)
		}
		togetherWith(map[string]any{"jobssh": true}, r)
		if record := r.run(); record.Code != 0 {
			t.Fatalf("%s: record %+v\n%s", name, record, r.log())
		}
		want := "ssh -F " + filepath.Join(r.config.Root, "ssh", "config.all") + " role0-0 hostname\n"
		if system {
			want = "ssh role0-0 hostname\n# hosts of this job\nHost role0-0 ROLE0-0\n"
		}
		if got := r.output(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: output\n%s\nwant\n%s", name, got, want)
		}
		if text, err := os.ReadFile(file); system && (err != nil || string(text) != "Host *\n") {
			t.Errorf("%s: afterwards %q, error %v", name, text, err)
		}
	}
}
