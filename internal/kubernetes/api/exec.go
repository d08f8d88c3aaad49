// SPDX-License-Identifier: MPL-2.0

package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/util/exec"
	"k8s.io/klog/v2"
	"k8s.io/streaming/pkg/httpstream"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// Exec runs a command in a container of a Pod and returns its exit code.
func (c *Client) Exec(ctx context.Context, pod, container string, r cluster.ExecRequest) (int, error) {
	what := fmt.Sprintf("run a command in task %s[%d]", r.Role, r.Index)
	executor, err := c.executor(pod, container, r)
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
	// Without the empty logger, the client writes an error to stderr for each
	// stream at the end of the context.
	err = executor.StreamWithContext(klog.NewContext(ctx, klog.Logger{}), o)
	var ended exec.CodeExitError
	switch {
	case err == nil:
		return 0, nil
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case errors.As(err, &ended):
		return ended.Code, nil
	}
	return 0, execError(what, r.Command, err)
}

// execError returns the error for a command that did not start. Only the kubelet's
// message contains the reason. The error wraps [cluster.ErrNotFound] if the container
// is starting or has ended.
func execError(what string, command []string, err error) error {
	text := err.Error()
	if strings.Contains(text, "container not found") {
		return cluster.NotFound("%s: the container is starting or has ended", what)
	}
	if _, reason, ok := strings.Cut(text, "unable to start container process: exec: "); ok && len(command) > 0 {
		_, reason, _ = strings.Cut(strings.TrimPrefix(reason, strconv.Quote(command[0])), ": ")
		return fmt.Errorf("%s: cannot start %q: %s", what, command[0], strings.TrimSpace(reason))
	}
	return explain(what, err)
}

// executor returns an executor for a command in a container. The executor
// uses WebSocket, or SPDY if the server or a proxy does not support
// WebSocket.
func (c *Client) executor(pod, container string, r cluster.ExecRequest) (remotecommand.Executor, error) {
	u := execURL(*c.host, Pods.Path(c.namespace, pod), container, r)
	spdy, err := remotecommand.NewSPDYExecutor(c.config, http.MethodPost, u)
	if err != nil {
		return nil, err
	}
	socket, err := remotecommand.NewWebSocketExecutor(c.config, http.MethodGet, u.String())
	if err != nil {
		return nil, err
	}
	return remotecommand.NewFallbackExecutor(socket, spdy, func(err error) bool {
		return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err)
	})
}

func execURL(host url.URL, pod, container string, r cluster.ExecRequest) *url.URL {
	host.Path = strings.TrimSuffix(host.Path, "/") + pod + "/exec"
	host.RawQuery = url.Values{
		"container": {container}, "command": r.Command,
		"stdin": {strconv.FormatBool(r.Stdin != nil)}, "stdout": {"true"},
		"stderr": {strconv.FormatBool(!r.Terminal)}, "tty": {strconv.FormatBool(r.Terminal)},
	}.Encode()
	return &host
}

// sizes implements a queue of terminal sizes.
type sizes func() *cluster.TerminalSize

// Next implements remotecommand.TerminalSizeQueue.
func (s sizes) Next() *remotecommand.TerminalSize {
	size := s()
	if size == nil {
		return nil
	}
	return &remotecommand.TerminalSize{Width: size.Width, Height: size.Height}
}
