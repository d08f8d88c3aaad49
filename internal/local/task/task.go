// SPDX-License-Identifier: MPL-2.0

package task

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/local/reexec"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/runtime"
	"github.com/openpai/terraform-provider-openpai/runtime/fetch"
)

// argMounted is the argument of a task process that already has its mounts.
const argMounted = "mounted"

// Address is the address of every task and of its host.
const Address = "127.0.0.1"

// Run implements a task process. It first waits until the supervisor has
// recorded the process.
func Run(dir store.TaskDir, rest []string, now func() time.Time) int {
	mounted := len(rest) == 1 && rest[0] == argMounted
	if !mounted && !awaitStart() {
		return exitspec.CodeUnknown
	}
	var l Launch
	if err := store.ReadJSON(dir.Launch(), &l); err != nil {
		return recordFailure(dir, nil, now, err)
	}
	if len(l.Mounts) > 0 && !mounted {
		err := enterMounts(l.Mounts, dir.Scratch(), []string{os.Args[0], reexec.Task, string(dir), argMounted})
		return recordFailure(dir, &l, now, err)
	}
	c := taskConfig(dir, &l, now)
	var err error
	if c.FetchCache, c.FetchCacheBytes, err = fetchCache(&l); err != nil {
		return recordFailure(dir, &l, now, err)
	}
	r := runtime.Run(context.Background(), c)
	retryRecord(dir, &r, c.Signals)
	return r.Code
}

// pollDiskSpace is the interval between attempts to write to a full disk.
const pollDiskSpace = time.Second

// retryRecord writes the exit record if the runtime could not write it. On a
// full disk, retryRecord retries until the task receives a signal.
func retryRecord(dir store.TaskDir, r *exitspec.Record, signals <-chan os.Signal) {
	for !store.Exists(dir.Exit()) && store.Exists(string(dir)) {
		if err := store.WriteJSON(dir.Exit(), r); !store.IsDiskFull(err) || r.Stopped {
			return
		}
		select {
		case <-signals:
			return
		case <-time.After(pollDiskSpace):
		}
	}
}

// awaitStart waits for the start message of the supervisor on file descriptor 3.
// It returns false if the descriptor closes first, for example after the
// supervisor was killed.
func awaitStart() bool {
	gate := os.NewFile(3, "gate")
	defer func() { _ = gate.Close() }()
	n, _ := gate.Read(make([]byte, 1))
	return n == 1
}

func taskConfig(dir store.TaskDir, l *Launch, now func() time.Time) runtime.Config {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT)
	c := runtime.Config{
		Spec:       l.Spec,
		Index:      l.Index,
		Attempt:    l.Attempt,
		JobAttempt: l.JobAttempt,
		PodUID:     l.PodUID,
		Environ:    l.Environ,
		Root:       dir.Root(),
		LogDir:     dir.Logs(),
		LogMode:    0o600,
		WorkDir:    dir.Work(),
		FetchDir:   l.FetchDir,
		SecretsDir: l.SecretsDir,
		PluginDir:  l.PluginDir,
		Listen:     Address,
		SessionDir: dir.Sessions(),
		RecordFile: dir.Exit(),
		Self:       l.Self,
		Reap:       true,
		Stdout:     io.Discard, // openpai reads only the log files
		Stderr:     io.Discard,
		Signals:    signals,
		Now:        now,
	}
	if l.Spec.Gang {
		c.Barrier = &runtime.FileBarrier{
			ReadyFile: dir.Ready(), HostsFile: l.HostsFile,
			Timeout: time.Duration(l.Spec.MaxWaitSeconds) * time.Second,
		}
	}
	return c
}

// fetchCache returns the download cache and its size limit. By default, the
// workspace has its own cache. The user can set a directory that several
// workspaces share.
func fetchCache(l *Launch) (dir string, bytes int64, err error) {
	dir, bytes, err = fetch.Settings(func(name string) string {
		for _, entry := range l.Environ {
			if value, ok := strings.CutPrefix(entry, name+"="); ok {
				return value
			}
		}
		return ""
	})
	dir = cmp.Or(dir, l.FetchCache)
	return dir, bytes, err
}

// recordFailure writes the exit record of a task that could not start.
func recordFailure(dir store.TaskDir, l *Launch, now func() time.Time, cause error) int {
	fmt.Fprintln(os.Stderr, cause)
	r := exitspec.Record{
		Code: exitspec.CodeUnknown, UserCode: exitspec.CodeUnknown, Phrase: "PAIRuntimeUnknownFailed",
		Behavior: string(exitspec.Unknown), Stage: "init", Reason: cause.Error(), Started: now(), Finished: now(),
	}
	if l != nil {
		r.Framework, r.Role, r.Index, r.Attempt = l.Spec.Framework, l.Spec.Role, l.Index, l.Attempt
	}
	if err := store.WriteJSON(dir.Exit(), r); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return r.Code
}
