package local

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/runtime"
)

// argMounted tells a task process that it has its mounts.
const argMounted = "mounted"

// runTask is the whole life of a task process: it waits until the supervisor
// recorded it, makes its mounts, and runs the task.
func runTask(dir taskDir, rest []string, now func() time.Time) int {
	mounted := len(rest) == 1 && rest[0] == argMounted
	if !mounted && !mayGo() {
		return exitspec.CodeUnknown
	}
	var l launch
	if err := readJSON(dir.launch(), &l); err != nil {
		return giveUp(dir, nil, now, err)
	}
	if len(l.Mounts) > 0 && !mounted {
		err := enterMounts(l.Mounts, dir.scratch(), []string{os.Args[0], argTask, string(dir), argMounted})
		return giveUp(dir, &l, now, err)
	}
	c := taskConfig(dir, &l, now)
	var err error
	if c.FetchCache, c.FetchCacheBytes, err = fetchCache(&l); err != nil {
		return giveUp(dir, &l, now, err)
	}
	r := runtime.Run(context.Background(), c)
	keepRecord(dir, &r, c.Signals)
	return r.Code
}

// pollRoom is how often a task that ended looks for room for its exit record.
const pollRoom = time.Second

// keepRecord holds the exit record that the runtime could not write until there
// is room for it, or the task is asked to end.
func keepRecord(dir taskDir, r *exitspec.Record, signals <-chan os.Signal) {
	for !exists(dir.exit()) && exists(string(dir)) {
		if err := writeJSON(dir.exit(), r); !noRoom(err) || r.Stopped {
			return
		}
		select {
		case <-signals:
			return
		case <-time.After(pollRoom):
		}
	}
}

// mayGo waits for the supervisor's word, by file descriptor 3. A supervisor
// that was killed before closes it without one.
func mayGo() bool {
	gate := os.NewFile(3, "gate")
	defer func() { _ = gate.Close() }()
	n, _ := gate.Read(make([]byte, 1))
	return n == 1
}

func taskConfig(dir taskDir, l *launch, now func() time.Time) runtime.Config {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT)
	return runtime.Config{
		Spec:       l.Spec,
		Index:      l.Index,
		Attempt:    l.Attempt,
		JobAttempt: l.JobAttempt,
		PodUID:     l.PodUID,
		Environ:    l.Environ,
		Root:       dir.root(),
		LogDir:     dir.logs(),
		WorkDir:    dir.work(),
		SecretsDir: l.SecretsDir,
		PluginDir:  l.PluginDir,
		Listen:     nodeAddress,
		RecordFile: dir.exit(),
		Self:       l.Self,
		Barrier: &runtime.FileBarrier{
			ReadyFile: dir.ready(), HostsFile: l.HostsFile,
			Timeout: time.Duration(l.Spec.MaxWaitSeconds) * time.Second,
		},
		Reap:    true,
		Stdout:  io.Discard, // the log files are what is read here
		Stderr:  io.Discard,
		Signals: signals,
		Now:     now,
	}
}

// giveUp leaves the record of a task that could not begin.
func giveUp(dir taskDir, l *launch, now func() time.Time, cause error) int {
	fmt.Fprintln(os.Stderr, cause)
	r := exitspec.Record{
		Code: exitspec.CodeUnknown, UserCode: exitspec.CodeUnknown, Phrase: "PAIRuntimeUnknownFailed",
		Behavior: string(exitspec.Unknown), Stage: "init", Reason: cause.Error(), Started: now(), Finished: now(),
	}
	if l != nil {
		r.Framework, r.Role, r.Index, r.Attempt = l.Spec.Framework, l.Spec.Role, l.Index, l.Attempt
	}
	if err := writeJSON(dir.exit(), r); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return r.Code
}
