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

// Config is the configuration for one attempt of a task. It covers all
// differences between a task in a container and a task that runs as a process
// of the local cluster.
type Config struct {
	Spec *runspec.Spec

	Index      int    // index of the task in its role
	Attempt    int    // of the task
	JobAttempt int    // of the Framework
	PodUID     string // UID for the port formula

	// Environ is the initial environment of scripts, as "NAME=value", including the
	// FC_* variables. Scripts do not inherit any other variables.
	Environ []string

	Root   string // /usr/local/pai in a container
	LogDir string // runtime.log, user-stdout/, user-stderr/, user-all/
	// LogMode is the mode of log files. 0 means 0644.
	LogMode os.FileMode
	WorkDir string // the working directory of scripts
	// SecretsDir contains one file per secret. The runtime reads the values
	// before it writes any output.
	SecretsDir string
	// PluginDir contains the programs of third-party plugins.
	PluginDir string
	// FetchCache is a directory that caches downloads for all tasks of the node. ""
	// disables the cache. FetchCacheBytes is the maximum size of the cache, in
	// bytes. 0 means a default.
	FetchCache      string
	FetchCacheBytes int64
	// FetchDir is the base directory for relative download paths. If it is "", a
	// relative path causes an error.
	FetchDir string
	// RecordFile is the file for the exit record, and TerminationFile is the file
	// for the termination message. If a path is "", the runtime does not write
	// that file.
	RecordFile, TerminationFile string

	// Self is this task's entry for the host table. If Self does not contain ports,
	// the runtime computes them with the port formula.
	Self runspec.Host
	// Barrier returns the host table. Without gang scheduling, it may immediately
	// return the tasks known so far.
	Barrier Barrier

	// Listen is the address on which the runtime's services listen. "" means all
	// addresses.
	Listen string
	// SessionDir is a directory that the runtime creates and removes. It contains
	// the socket through which the local user opens sessions in the task
	// ([ssh.DialPrivate]). "" disables sessions.
	SessionDir string
	// SSHConfig is the path of the ssh client's system-wide configuration file.
	// The runtime adds the job's hosts to this file. SSHConfig is "" if the task
	// shares the file with other programs.
	SSHConfig string

	// Stdout and Stderr are the container's output streams. The runtime copies
	// the logs to them.
	Stdout, Stderr io.Writer
	// If Reap is set, the runtime waits for all children of this process and, on
	// Linux, for all orphans among its descendants. At the end, the runtime
	// kills the remaining processes. If Reap is set, other code in the process
	// must not start programs.
	Reap bool
	// Signals is the channel that delivers the signals sent to the program.
	Signals <-chan os.Signal
	Now     func() time.Time

	// Tests replace the following fields: the detected shell, the system
	// counters, the stage intervals, and the pauses before retries.
	shell     shell
	oomKills  func() int
	used      func() (cpuSeconds float64, peakMemoryBytes int64)
	intervals stageIntervals
	after     func(time.Duration) <-chan time.Time
}

// Barrier waits for the other tasks of a gang.
type Barrier interface {
	// Wait reports this task as ready, and returns the table of all tasks when it
	// is complete. It fails with a *BarrierError if the table cannot be completed.
	Wait(ctx context.Context, self runspec.Host) (*runspec.Hosts, error)
}

// BarrierError reports why waiting for a gang failed.
type BarrierError struct {
	// Code is the code from the exit specification: 250, 251 or 252.
	Code int
	// Reason lists the missing tasks, or describes the denied access.
	Reason string
}

func (e *BarrierError) Error() string { return e.Reason }

// logMode returns the mode of log files.
func (c *Config) logMode() os.FileMode { return cmp.Or(c.LogMode, 0o644) }
