package runtime

import (
	"cmp"
	"context"
	"io"
	"os"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// Config is one attempt of one task. All that differs between a container and
// a process of the local cluster is in here.
type Config struct {
	Spec *runspec.Spec

	Index      int    // of the task in its role
	Attempt    int    // of the task
	JobAttempt int    // of the Framework
	PodUID     string // the ports are a function of it

	// Environ is the environment the scripts start from, "NAME=value", the
	// FC_* variables included. Nothing else is inherited.
	Environ []string

	Root   string // /usr/local/pai in a container
	LogDir string // runtime.log, user-stdout/, user-stderr/, user-all/
	// LogMode holds the permissions of log files; 0 means 0644.
	LogMode os.FileMode
	WorkDir string // where scripts start
	// SecretsDir holds one file per secret. Values are read before the first
	// byte of output.
	SecretsDir string
	// PluginDir holds the programs of third-party plugins.
	PluginDir string
	// FetchCache is a directory where downloads are kept for all tasks of the
	// node, at most FetchCacheBytes (0: a default); empty means that nothing
	// is kept.
	FetchCache      string
	FetchCacheBytes int64
	// RecordFile receives the exit record, TerminationFile the termination
	// message; either may be empty.
	RecordFile, TerminationFile string

	// Self is this task's entry for the host table, ports included when they
	// were chosen by someone else; else the port formula is used.
	Self runspec.Host
	// Barrier gives the host table; without gang allocation it may return at
	// once what is known.
	Barrier Barrier

	// Listen is the address that the services of the runtime listen on; empty
	// is every one.
	Listen string
	// SessionDir is a directory, which the runtime makes and removes, with the
	// socket by which the user of this machine opens sessions in the task
	// ([ssh.DialPrivate]); empty: there are none.
	SessionDir string
	// SSHConfig is the system-wide configuration of ssh clients, to which the
	// hosts of the job are added; empty where that is not the task's own.
	SSHConfig string

	// Stdout and Stderr are those of the container; logs are copied there.
	Stdout, Stderr io.Writer
	// Reap says that this process waits for all its children and, on Linux,
	// for every orphan below it; those that are left at the end are killed.
	// Nothing else in the process may start programs then.
	Reap bool
	// Signals delivers what was sent to the program.
	Signals <-chan os.Signal
	Now     func() time.Time

	// shell is used instead of the one that would be found, oomKills and used
	// instead of the counts of the system, intervals instead of the one that people
	// read.
	shell     shell
	oomKills  func() int
	used      func() (cpuSeconds float64, peakMemoryBytes int64)
	intervals stageIntervals
}

// Barrier waits for the other tasks of a gang.
type Barrier interface {
	// Wait reports this task as ready and returns when the table of all tasks
	// is there. It fails with a *BarrierError when it never will be.
	Wait(ctx context.Context, self runspec.Host) (*runspec.Hosts, error)
}

// BarrierError ends the wait for a gang.
type BarrierError struct {
	// Code is the exit code of the specification: 250, 251 or 252.
	Code int
	// Reason names the tasks that are missing, or the access that was refused.
	Reason string
}

func (e *BarrierError) Error() string { return e.Reason }

// logMode returns the permissions of log files.
func (c *Config) logMode() os.FileMode { return cmp.Or(c.LogMode, 0o644) }
