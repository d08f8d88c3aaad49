// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/streaming/pkg/httpstream"
	"k8s.io/streaming/pkg/httpstream/spdy"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// ServeHTTP implements http.Handler. It serves container logs at
// /containerLogs/NAMESPACE/POD/CONTAINER, and runs programs in containers at
// /exec/NAMESPACE/POD/CONTAINER.
func (n *node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	n.mu.Lock()
	p := n.named[parts[len(parts)-2]]
	n.mu.Unlock()
	switch {
	case p == nil:
		http.NotFound(w, r)
	case parts[0] == "exec":
		p.serveExec(w, r)
	default:
		p.serveLog(w, r)
	}
}

func (p *nodePod) serveLog(w http.ResponseWriter, r *http.Request) {
	var since time.Time
	if text := r.URL.Query().Get("sinceTime"); text != "" {
		since, _ = time.Parse(time.RFC3339, text)
	}
	for sent := 0; ; {
		p.mu.Lock()
		begun, over, written, changed := p.begun, p.over, p.written, p.changed
		p.mu.Unlock()
		if !begun {
			http.Error(w, `container "app" in pod is waiting to start: PodInitializing`, http.StatusBadRequest)
			return
		}
		if tail, err := strconv.Atoi(r.URL.Query().Get("tailLines")); err == nil && sent == 0 {
			sent = max(0, len(written)-tail)
		}
		for ; sent < len(written); sent++ {
			stamp, line, _ := strings.Cut(written[sent], " ")
			if at, err := time.Parse(time.RFC3339Nano, stamp); err == nil && at.Before(since) {
				continue
			}
			if r.URL.Query().Get("timestamps") == "true" {
				line = written[sent]
			}
			_, _ = io.WriteString(w, line)
		}
		_ = http.NewResponseController(w).Flush()
		if over || r.URL.Query().Get("follow") != "true" {
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

// serveExec implements the exec protocol of the kubelet. The exit code and each
// standard stream use separate SPDY streams.
func (p *nodePod) serveExec(w http.ResponseWriter, r *http.Request) {
	if _, err := httpstream.Handshake(r, w, []string{"v4.channel.k8s.io"}); err != nil {
		return
	}
	arrived := make(chan httpstream.Stream, 8)
	conn := spdy.NewResponseUpgrader().UpgradeResponse(w, r, func(s httpstream.Stream, _ <-chan struct{}) error {
		arrived <- s
		return nil
	})
	if conn == nil {
		return
	}
	defer func() { _ = conn.Close() }()
	query := r.URL.Query()
	wanted := 1
	for _, name := range []string{"input", "output", "error"} {
		if query.Get(name) == "1" {
			wanted++
		}
	}
	streams := map[string]httpstream.Stream{}
	for len(streams) < wanted {
		select {
		case s := <-arrived:
			streams[s.Headers().Get(corev1.StreamType)] = s
		case <-conn.CloseChan():
			return
		}
	}
	status := map[string]any{"status": "Success"}
	if code := p.execute(r.Context(), query["command"], streams); code != 0 {
		status = map[string]any{"status": "Failure", "reason": "NonZeroExitCode", "details": map[string]any{"causes": []any{map[string]any{"reason": "ExitCode", "message": strconv.Itoa(code)}}}}
	}
	text, _ := json.Marshal(status)
	_, _ = streams[corev1.StreamTypeError].Write(text)
	for _, s := range streams {
		_ = s.Close()
	}
}

func (p *nodePod) execute(ctx context.Context, command []string, streams map[string]httpstream.Stream) int {
	root := filepath.Join(p.dir, "pai")
	if rest, ok := strings.CutPrefix(command[0], contract.Root); ok {
		command[0] = root + rest
	}
	program := exec.CommandContext(ctx, command[0], command[1:]...)
	program.Env, program.Dir, program.WaitDelay = p.environ, p.dir, time.Second
	if s := streams[corev1.StreamTypeStdout]; s != nil {
		program.Stdout = s
	}
	if s := streams[corev1.StreamTypeStderr]; s != nil {
		program.Stderr = s
	}
	err := program.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return cmp.Or(exit.ExitCode(), 1)
	}
	if err != nil {
		return 1
	}
	return 0
}
