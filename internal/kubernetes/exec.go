package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/util/exec"
	"k8s.io/streaming/pkg/httpstream"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// Exec implements cluster.Executor through the API server.
func (c *Cluster) Exec(ctx context.Context, r cluster.ExecRequest) (int, error) {
	pod, err := c.podOfTask(ctx, r)
	if err != nil {
		return 0, err
	}
	what := fmt.Sprintf("run a command in task %s[%d]", r.Role, r.Index)
	executor, err := c.executor(pod, r)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", what, err)
	}
	o := remotecommand.StreamOptions{Stdin: r.Stdin, Stdout: r.Stdout, Stderr: r.Stderr, Tty: r.Terminal}
	if r.Terminal {
		o.Stderr = nil
		if r.Size != nil {
			o.TerminalSizeQueue = sizes(r.Size)
		}
	}
	err = executor.StreamWithContext(ctx, o)
	var ended exec.CodeExitError
	switch {
	case err == nil:
		return 0, nil
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case errors.As(err, &ended):
		return ended.Code, nil
	}
	return 0, explain(what, err)
}

// podOfTask returns the Pod in which a task runs.
func (c *Cluster) podOfTask(ctx context.Context, r cluster.ExecRequest) (string, error) {
	known, err := c.knownRecord(ctx, r.Framework)
	if err != nil {
		return "", err
	}
	l := logs{c: c, record: known, request: cluster.LogRequest{Framework: r.Framework, Role: r.Role, Index: r.Index, JobAttempt: -1, Attempt: -1}}
	if _, err := l.find(ctx); err != nil {
		return "", err
	}
	switch {
	case l.task == nil || !started(l.task.State):
		return "", fmt.Errorf("task %s[%d] has not begun: %w", r.Role, r.Index, cluster.ErrNotFound)
	case l.task.AttemptStatus.CompletionStatus != nil:
		return "", fmt.Errorf("task %s[%d] is over: %w", r.Role, r.Index, cluster.ErrNotFound)
	}
	return l.task.AttemptStatus.PodName, nil
}

// executor speaks WebSocket, and SPDY with servers and proxies that do not.
func (c *Cluster) executor(pod string, r cluster.ExecRequest) (remotecommand.Executor, error) {
	config, err := restConfig(c.declared)
	if err != nil {
		return nil, err
	}
	u := execURL(*c.client.host, pods.path(c.namespace, pod), r)
	spdy, err := remotecommand.NewSPDYExecutor(config, http.MethodPost, u)
	if err != nil {
		return nil, err
	}
	socket, err := remotecommand.NewWebSocketExecutor(config, http.MethodGet, u.String())
	if err != nil {
		return nil, err
	}
	return remotecommand.NewFallbackExecutor(socket, spdy, func(err error) bool {
		return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err)
	})
}

func execURL(host url.URL, pod string, r cluster.ExecRequest) *url.URL {
	host.Path = strings.TrimSuffix(host.Path, "/") + pod + "/exec"
	host.RawQuery = url.Values{
		"container": {appContainer}, "command": r.Command,
		"stdin": {strconv.FormatBool(r.Stdin != nil)}, "stdout": {"true"},
		"stderr": {strconv.FormatBool(!r.Terminal)}, "tty": {strconv.FormatBool(r.Terminal)},
	}.Encode()
	return &host
}

// sizes passes the sizes of a terminal on.
type sizes func() *cluster.TerminalSize

// Next implements remotecommand.TerminalSizeQueue.
func (s sizes) Next() *remotecommand.TerminalSize {
	size := s()
	if size == nil {
		return nil
	}
	return &remotecommand.TerminalSize{Width: size.Width, Height: size.Height}
}

// restConfig returns the configuration of the cluster as client-go has it.
func restConfig(declared *hclspec.Cluster) (*rest.Config, error) {
	config, err := clientConfig(declared).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("read the kubeconfig of cluster %s: %w", declared.Name, err)
	}
	config.UserAgent = "openpai"
	return config, nil
}
