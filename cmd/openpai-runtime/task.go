// SPDX-License-Identifier: MPL-2.0

package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/runtime"
	"github.com/openpai/terraform-provider-openpai/runtime/fetch"
	"github.com/openpai/terraform-provider-openpai/runtime/initialize"
)

// If no init container prepared the barrier, the runtime reads the paths of
// the barrier's files from these variables. If they are also unset, the
// runtime rejects gang allocation.
const (
	envReadyFile = "PAI_BARRIER_READY_FILE"
	envHostsFile = "PAI_BARRIER_HOSTS_FILE"
)

func runTask(p paths, getenv func(string) string, stdout, stderr io.Writer) int {
	started := time.Now()
	signals := make(chan os.Signal, 64)
	signal.Notify(signals, forwarded...)
	config, err := configure(p, getenv)
	if err != nil {
		code := configurationError(p, err, stderr)
		stay(started, getenv, signals)
		return code
	}
	keepSIGPIPE()
	config.Signals, config.Stdout, config.Stderr = signals, stdout, stderr
	record := runtime.Run(context.Background(), config)
	if !record.Stopped {
		stay(started, getenv, signals)
	}
	return record.Code
}

// configurationError returns the exit code. It writes the error to standard error
// and to the termination message.
func configurationError(p paths, err error, stderr io.Writer) int {
	line := contract.RuntimeLine(time.Now(), contract.LevelError, err.Error()) + "\n"
	_, _ = io.WriteString(stderr, line)
	entry, _ := exitspec.Lookup(exitspec.CodeConfiguration)
	record := exitspec.Record{
		Code: entry.Code, UserCode: entry.Code, Phrase: entry.Phrase, Behavior: string(entry.Behavior), Stage: "init", Reason: err.Error(), Hint: entry.Hint,
	}
	text := exitspec.Message(record, exitspec.Match{Entry: entry, Code: entry.Code}, nil, []byte(line))
	if err := os.WriteFile(p.termination, text, 0o644); err != nil {
		_, _ = fmt.Fprintln(stderr, contract.RuntimeLine(time.Now(), contract.LevelError, "cannot write the termination message: "+err.Error()))
	}
	return entry.Code
}

// configure reads this task's run specification and identity.
func configure(p paths, getenv func(string) string) (runtime.Config, error) {
	spec, err := runspec.Read(append(initialize.SpecFiles(p.config, getenv(contract.EnvTaskRole)), filepath.Join(p.root, initialize.RunSpecFile))...)
	if err != nil {
		return runtime.Config{}, err
	}
	environ, err := initialize.Environment(p.runtimeDir, os.Environ())
	if err != nil {
		return runtime.Config{}, err
	}
	work, err := os.Getwd()
	if err != nil {
		return runtime.Config{}, fmt.Errorf("find the working directory: %w", err)
	}
	id, err := initialize.IdentityOf(getenv)
	if err != nil {
		return runtime.Config{}, err
	}
	c := runtime.Config{
		Spec: spec, Index: id.Index, Attempt: id.Attempt, JobAttempt: id.JobAttempt, PodUID: getenv(contract.EnvPodUID), Environ: environ,
		Root: p.root, LogDir: p.logs, WorkDir: work, SecretsDir: p.secrets, PluginDir: p.plugins, SSHConfig: p.sshConfig,
		RecordFile: filepath.Join(p.logs, contract.ExitRecord), TerminationFile: p.termination,
		Self: runtime.Address(getenv), Reap: true, Now: time.Now,
	}
	if hosts := getenv(envHostsFile); hosts != "" {
		ready := cmp.Or(getenv(envReadyFile), filepath.Join(p.root, "ready.json"))
		c.Barrier = runtime.FileBarrier{ReadyFile: ready, HostsFile: hosts}
	}
	c.FetchCache, c.FetchCacheBytes, err = fetch.Settings(getenv)
	return c, err
}
