// SPDX-License-Identifier: MPL-2.0

package runtime

import (
	"cmp"
	"context"
	"io"
	"os"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// Config is the configuration of one attempt of one task. All differences between a
// container and a process of the local cluster are in this configuration.
type Config struct {
	Spec *runspec.Spec

	Index      int    // index of the task in its role
	Attempt    int    // of the task
	JobAttempt int    // of the Framework
	PodUID     string // UID for the port formula

	// Environ is the environment that scripts start with, as "NAME=value",
	// including the FC_* variables. Scripts inherit nothing else.
	Environ []string

	Root   string // /usr/local/pai in a container
	LogDir string // runtime.log, user-stdout/, user-stderr/, user-all/
	// LogMode holds the permissions of log files; 0 means 0644.
	LogMode os.FileMode
	WorkDir string // the working directory of scripts
	// SecretsDir holds one file per secret. The values are read before any
	// output is written.
	SecretsDir string
	// PluginDir holds the programs of third-party plugins.
	PluginDir string
	// FetchCache is a directory that caches up to FetchCacheBytes of downloads
	// (0: a default) for all tasks of the node. An empty string disables the
	// cache.
	FetchCache      string
	FetchCacheBytes int64
	// FetchDir is the directory to which relative paths of downloads refer. If
	// FetchDir is an empty string, relative paths are errors.
	FetchDir string
	// RecordFile receives the exit record, TerminationFile the termination
	// message; either may be empty.
	RecordFile, TerminationFile string

	// Self is this task's entry for the host table. Self includes the ports if
	// they were chosen elsewhere; otherwise the runtime uses the port formula.
	Self runspec.Host
	// Barrier returns the host table. Without gang scheduling it may return the
	// known tasks immediately.
	Barrier Barrier

	// Listen is the address that the services of the runtime listen on; an
	// empty string means all addresses.
	Listen string
	// SessionDir is a directory that the runtime creates and removes. It holds
	// the socket on which the local user opens sessions in the task
	// ([ssh.DialPrivate]). An empty string disables sessions.
	SessionDir string
	// SSHConfig is the system-wide configuration of ssh clients, to which the
	// runtime adds the hosts of the job. It is empty if that file is not
	// private to the task.
	SSHConfig string

	// Stdout and Stderr are the streams of the container; logs are copied to
	// them.
	Stdout, Stderr io.Writer
	// Reap is set if this process waits for all its children and, on Linux, for
	// every orphan below it, and kills the remaining processes at the end. If Reap
	// is set, no other code in the process may start programs.
	Reap bool
	// Signals delivers the signals sent to the program.
	Signals <-chan os.Signal
	Now     func() time.Time

	// Tests replace these fields: the detected shell, the counters of the system,
	// the intervals and the pauses before retries.
	shell     shell
	oomKills  func() int
	used      func() (cpuSeconds float64, peakMemoryBytes int64)
	intervals stageIntervals
	after     func(time.Duration) <-chan time.Time
}

// Barrier waits for the other tasks of a gang.
type Barrier interface {
	// Wait reports this task as ready and returns once the table of all tasks
	// is complete. It fails with a *BarrierError if the table cannot be
	// completed.
	Wait(ctx context.Context, self runspec.Host) (*runspec.Hosts, error)
}

// BarrierError is the error returned if waiting for a gang fails.
type BarrierError struct {
	// Code is the exit code of the specification: 250, 251 or 252.
	Code int
	// Reason lists the missing tasks, or describes the denied access.
	Reason string
}

func (e *BarrierError) Error() string { return e.Reason }

// logMode returns the permissions of log files.
func (c *Config) logMode() os.FileMode { return cmp.Or(c.LogMode, 0o644) }
