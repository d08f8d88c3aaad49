// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/printable"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// Exec implements cluster.Executor through the API server.
func (c *Cluster) Exec(ctx context.Context, r cluster.ExecRequest) (int, error) {
	found, err := c.runningTask(ctx, r.Framework, r.Role, r.Index)
	if err != nil {
		return 0, err
	}
	return c.client.Exec(ctx, found.task.AttemptStatus.PodName, appContainer, r)
}

// runningTask returns the logs of a running task. It fails if the task has
// not started or has ended.
func (c *Cluster) runningTask(ctx context.Context, name, role string, index int) (*logs, error) {
	known, err := c.knownRecord(ctx, name)
	if err != nil {
		return nil, err
	}
	l := &logs{c: c, record: known, request: cluster.LogRequest{Framework: name, Role: role, Index: index, JobAttempt: -1, Attempt: -1}}
	if _, err := l.find(ctx); err != nil {
		return nil, err
	}
	switch {
	case l.task == nil || !started(l.task.State):
		return nil, cluster.NotFound("task %s[%d] has not started", role, index)
	case l.task.AttemptStatus.CompletionStatus != nil:
		return nil, cluster.NotFound("task %s[%d] is over", role, index)
	}
	return l, nil
}

// exitKilled is the exit code that the kubelet reports after SIGKILL.
const exitKilled = 137

// Release implements cluster.Releaser. In the container, it runs the runtime
// binary, which signals the runtime of the task. The image does not need a shell.
func (c *Cluster) Release(ctx context.Context, framework, role string, index int) error {
	var stdout, stderr bytes.Buffer
	code, err := c.Exec(ctx, cluster.ExecRequest{
		Framework: framework, Role: role, Index: index,
		Command: []string{contract.Runtime, contract.ReleaseCommand}, Stdout: &stdout, Stderr: &stderr,
	})
	if err != nil {
		return err
	}
	return releaseResult(code, stdout.String(), stderr.String())
}

// releaseResult returns the error for an exit code of the release command. If the
// hold was the last step of the task, the release command is killed when the
// container ends.
func releaseResult(code int, stdout, stderr string) error {
	asked := strings.TrimSpace(stdout) == contract.ReleaseAsked
	switch {
	case code == 0, code == exitKilled && asked:
		return nil
	case code == contract.ExitNotHeld:
		return stage.ErrNotHeld
	}
	return fmt.Errorf("the release command in the container exited with code %d: %s", code, printable.Line(strings.TrimSpace(stderr)))
}
