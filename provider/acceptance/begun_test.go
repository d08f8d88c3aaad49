// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package acceptance

import (
	"bytes"
	"os/exec"
	"testing"
)

// begun is a CLI command that runs in the background during a test.
type begun struct {
	t   testing.TB
	cmd *exec.Cmd
	out bytes.Buffer
}

func (p *project) begin(args ...string) *begun {
	p.t.Helper()
	b := &begun{t: p.t, cmd: exec.Command(p.program, append(args, "-no-color")...)}
	b.cmd.Dir, b.cmd.Env, b.cmd.SysProcAttr = p.dir, p.env, newGroup()
	b.cmd.Stdout, b.cmd.Stderr = &b.out, &b.out
	if err := b.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = killGroup(b.cmd.Process.Pid) })
	return b
}

// kill kills the command and the provider.
func (b *begun) kill() {
	b.t.Helper()
	if err := killGroup(b.cmd.Process.Pid); err != nil {
		b.t.Fatal(err)
	}
	_ = b.cmd.Wait()
}

func (b *begun) wait() (output string, code int) {
	_ = b.cmd.Wait() // the exit code reports the failure
	return b.out.String(), b.cmd.ProcessState.ExitCode()
}

func (p *project) await(is func() bool) {
	p.t.Helper()
	eventually(p.t, is)
}
