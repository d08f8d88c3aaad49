// SPDX-License-Identifier: MPL-2.0

package local

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/reexec"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/local/task"
)

// Options configures a local cluster. The zero value of a field selects its
// default: the system clock, the system's source of randomness, the
// environment of this process, or FrameworkController's retry delays.
type Options struct {
	Now    func() time.Time
	Random io.Reader
	// Environ is the caller's environment. Supervisors and tasks inherit only
	// the permitted variables.
	Environ []string
	// MinRetryDelay and MaxRetryDelay limit the random delay before a retry
	// after a conflict. If both are 0, FrameworkController's bounds apply.
	MinRetryDelay, MaxRetryDelay time.Duration
}

func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	if o.MinRetryDelay == 0 && o.MaxRetryDelay == 0 {
		o.MinRetryDelay, o.MaxRetryDelay = framework.MinConflictDelay, framework.MaxConflictDelay
	}
	return o
}

// Cluster is the local cluster of one workspace directory. It is safe for
// concurrent use.
type Cluster struct {
	dir     string // absolute path of the workspace directory
	layout  store.Layout
	options Options

	mu      sync.Mutex
	lock    *store.Lock
	holders int // number of holders of the lock in this process
	// removedKeys contains the workspace keys that CleanUp removed, indexed by
	// file path. SecretKey still returns these keys for plans that were
	// created with them.
	removedKeys map[string][]byte
}

var (
	_ cluster.Cluster  = (*Cluster)(nil)
	_ cluster.Finder   = (*Cluster)(nil)
	_ cluster.Repairer = (*Cluster)(nil)
	_ cluster.Checker  = (*Cluster)(nil)
	_ cluster.Creator  = (*Cluster)(nil)
	_ cluster.Releaser = (*Cluster)(nil)
	_ cluster.Adopter  = (*Cluster)(nil)

	_ cluster.StorageOwner = (*Cluster)(nil)
)

// ErrUnsupported is the error that [Open] returns on systems that the local
// cluster does not support.
var ErrUnsupported = errors.New("the local cluster requires Linux or macOS; on this system, submit jobs to a Kubernetes cluster")

// Open returns the local cluster whose state is in dir/.openpai. Open does not
// read or write anything.
func Open(dir string, o Options) (*Cluster, error) {
	if !process.Supported {
		return nil, ErrUnsupported
	}
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, fmt.Errorf("open the local cluster: %w", err)
	}
	return &Cluster{dir: abs, layout: store.NewLayout(abs), options: o.withDefaults()}, nil
}

// SecretKey implements cluster.Cluster.
func (c *Cluster) SecretKey(_ context.Context, workspace string) ([]byte, error) {
	if err := c.layout.Prepare(); err != nil {
		return nil, err
	}
	random := c.options.Random
	if key := c.removedKeys[c.layout.KeyFile(workspace)]; key != nil {
		random = bytes.NewReader(key)
	}
	return c.layout.MakeSecretKey(workspace, random)
}

// object returns the stored object of a Framework. It fails with
// cluster.ErrNotFound if the name is invalid. It also fails if .openpai belongs
// to another user or a directory is a symbolic link; see [store.Layout.Check].
func (c *Cluster) object(name string) (store.Object, error) {
	if err := checkName(name); err != nil {
		return store.Object{}, err
	}
	return c.layout.Object(name), c.layout.Check(name)
}

func checkName(framework string) error {
	if !store.FrameworkName.MatchString(framework) {
		return cluster.NotFound("Framework %q does not exist: the name is not valid", framework)
	}
	return nil
}

// Entrypoint runs the process as a supervisor or task if the local cluster
// started the process. args are the arguments of the process (os.Args). If
// handled is true, Entrypoint ran a supervisor or a task, and code is the exit
// code. A program must call Entrypoint before it calls [Open]. A test binary
// calls Entrypoint in TestMain.
func Entrypoint(args []string) (code int, handled bool) {
	if len(args) < 2 {
		return 0, false
	}
	part, rest := args[1], args[2:]
	if os.Getenv(reexec.Variable) != part {
		return 0, false
	}
	_ = os.Unsetenv(reexec.Variable) // this process is now a supervisor or a task
	switch {
	case part == reexec.Supervisor && len(rest) == 2:
		return runSupervisor(store.NewLayout(rest[0]), rest[1], time.Now, rand.Reader), true
	case part == reexec.Task && len(rest) >= 1:
		return task.Run(store.TaskDir(rest[0]), rest[1:], time.Now), true
	case part == reexec.Mounts && len(rest) == 1:
		return task.CheckMounts(rest[0]), true
	}
	return 0, false
}
