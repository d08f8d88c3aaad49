// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/engine"
	"github.com/openpai/terraform-provider-openpai/internal/ssh"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestSSHLogsInThroughTheAPIServer uses the key created by apply. The service
// runs in this test.
func TestSSHLogsInThroughTheAPIServer(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	j := sampleJob("vision", "mnist")
	j.TaskRoles[1].Steps = []*resolve.Step{{Address: "plugin.ssh", Name: "ssh", Plugin: contract.PluginSSH, FailurePolicy: "fail", Parameters: map[string]any{"jobssh": true}}}
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}})
	if access, err := c.SSH(t.Context(), j.Framework); err != nil || access.Key == nil || len(access.Tasks) > 0 {
		t.Fatalf("ssh access before the job runs: %+v, error %v", access, err)
	}
	e := &engine.Engine{Client: server.Dynamic(), Namespace: c.namespace}
	if err := errors.Join(e.Prepare(t.Context(), j.Framework), e.Run(t.Context(), j.Framework)); err != nil {
		t.Fatal(err)
	}
	newKubelet(t, "ssh-node")
	bind(t, c.namespace, framework.PodName(j.Framework, "ps1", 0), "ssh-node")
	access, err := c.SSH(t.Context(), j.Framework)
	if err != nil || len(access.Tasks) != 1 || access.Tasks[0].Role != "PS_1" {
		t.Fatalf("access %+v, error %v", access, err)
	}
	task := access.Tasks[0]
	if _, err := task.Login(t.Context(), access.Key); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("login before the service runs: %v", err)
	}
	_, port, _ := strings.Cut(task.Address, ":")
	service, err := ssh.Listen(ssh.Options{
		Key: access.Key, Address: "127.0.0.1:" + port, Dir: t.TempDir(), Shell: "/bin/sh", Start: startProcess,
		Environ: func() []string { return []string{"PATH=" + os.Getenv("PATH"), "PAI_TASK_INDEX=0"} }, Log: func(text string) { t.Log(text) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer service.Close(time.Second)
	labeled, err := c.Port(t.Context(), j.Framework, "PS_1", 0, "ssh")
	if err != nil || strconv.Itoa(labeled.Number) != port {
		t.Errorf("port %+v, error %v, want %s", labeled, err, port)
	}
	numbered, err := c.Port(t.Context(), j.Framework, "PS_1", 0, port)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := numbered.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if hello, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.HasPrefix(hello, "SSH-2.0-") {
		t.Errorf("%q, %v", hello, err)
	}
	_ = conn.Close()
	if _, err := c.Port(t.Context(), j.Framework, "PS_1", 0, "nothing"); !errors.Is(err, cluster.ErrNotFound) {
		t.Errorf("port with a label that the role does not have: %v", err)
	}
	client, err := task.Login(t.Context(), access.Key)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	session, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	session.Stdin = strings.NewReader(strings.Repeat("x", 1<<20))
	out, err := session.Output("echo task $PAI_TASK_INDEX; wc -c")
	if got := strings.Join(strings.Fields(string(out)), " "); err != nil || got != "task 0 1048576" {
		t.Errorf("output %q, error %v", got, err)
	}
}

func TestAJobWithoutAnSSHServiceHasNoKey(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	j := plainJob("vision", "plain")
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}})
	if access, err := c.SSH(t.Context(), j.Framework); err != nil || access.Key != nil {
		t.Errorf("access %+v, error %v", access, err)
	}
	if _, err := c.SSH(t.Context(), "0123456789abcdef0123456789abcdef"); !errors.Is(err, cluster.ErrNotFound) {
		t.Errorf("no such job: %v", err)
	}
}

// process runs a command of an ssh session, like the runtime.
type process struct{ cmd *exec.Cmd }

func startProcess(c ssh.Command) (ssh.Process, error) {
	cmd := exec.CommandContext(context.Background(), c.Argv[0], c.Argv[1:]...)
	cmd.Env, cmd.Dir = c.Environ, c.Dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Files[0], c.Files[1], c.Files[2]
	return process{cmd}, cmd.Start()
}

func (p process) Wait() (int, syscall.Signal) {
	_ = p.cmd.Wait()
	return p.cmd.ProcessState.ExitCode(), 0
}

func (p process) Signal(s syscall.Signal) { _ = p.cmd.Process.Signal(s) }
