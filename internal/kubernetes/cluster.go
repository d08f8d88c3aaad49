// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/check"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Options configures a Cluster.
type Options struct {
	// Workspace is the workspace whose objects may be written.
	Workspace string
	// Holder identifies this process in the workspace's Lease. It defaults to
	// the host and the process ID.
	Holder string

	// Now and Random replace the clock and the source of randomness in tests. nil
	// means the real clock and crypto/rand.
	Now    func() time.Time
	Random io.Reader
	// LeaseDuration is the time after which an unrenewed Lease expires. Default: 15
	// s.
	LeaseDuration time.Duration
	// RequestTimeout limits the duration of one request. Default: 30 s.
	RequestTimeout time.Duration
	// RetryPause is the pause before the first retry. The pause doubles with
	// each retry, up to 15 s. Default: 250 ms.
	RetryPause time.Duration
}

// Cluster is a namespace of a Kubernetes cluster, opened for one workspace. It is
// safe for concurrent use.
type Cluster struct {
	declared *hclspec.Cluster
	options  Options

	connectOnce sync.Once
	connectErr  error
	client      *api.Client
	namespace   string

	mu        sync.Mutex
	applied   map[string]string  // content of the volumes and claims that this process has applied; keys are object IDs
	records   map[string]*stored // records of the Frameworks whose status was read
	documents map[string]string  // UIDs of history documents; keys are ConfigMap names
	begun     map[string]*begun  // unfinished creations; keys are Framework names
	doomed    map[string]*doomed // jobs that FindToDelete read; keys are Framework names
	// unstopped maps a Framework to the time at which its unprocessed stop request
	// was first observed.
	unstopped  map[string]time.Time
	stalls     map[string]stall              // incomplete jobs whose status was read; keys are Framework names
	tried      map[api.Resource]func() error // results of the dry-run writes in preflight
	watched    map[string]*attempts          // observed attempts; keys are Framework names
	stageReads map[string]stageRead          // task stages read from logs; keys contain the Pod and the attempt
	// stageStreams is the number of logs that AddStages follows.
	stageStreams int
	// removedKey is the key that CleanUp removed. When SecretKey creates the
	// Secret again, it uses this key, because plans may depend on the key.
	removedKey []byte
	deleted    bool // whether the last job of the workspace may have been deleted

	owning      sync.Once
	ownedClaims map[string]bool // claims with an owner; set by the first listing
	owningErr   error

	reviewing sync.Mutex
	reviewed  bool        // whether the user's permissions were requested
	rules     accessRules // nil if they cannot be listed
}

var (
	_ cluster.Cluster      = (*Cluster)(nil)
	_ cluster.Finder       = (*Cluster)(nil)
	_ cluster.EventSource  = (*Cluster)(nil)
	_ cluster.SecretSource = (*Cluster)(nil)
	_ cluster.Cleaner      = (*Cluster)(nil)
	_ cluster.Locker       = (*Cluster)(nil)
	_ cluster.Checker      = (*Cluster)(nil)
	_ cluster.SSHCluster   = (*Cluster)(nil)
	_ cluster.NameLister   = (*Cluster)(nil)
	_ cluster.JobLister    = (*Cluster)(nil)
	_ cluster.Creator      = (*Cluster)(nil)
	_ cluster.StageSource  = (*Cluster)(nil)
	_ cluster.Releaser     = (*Cluster)(nil)
	_ cluster.StorageOwner = (*Cluster)(nil)

	_ cluster.AttemptWatcher = (*Cluster)(nil)

	_ cluster.PermissionReviewer = (*Cluster)(nil)
)

// Open returns the cluster of a cluster block. It does not connect yet: the first
// call that needs the API server reads the kubeconfig.
func Open(declared *hclspec.Cluster, o Options) (*Cluster, error) {
	if o.Workspace == "" {
		return nil, errors.New("open a Kubernetes cluster: no workspace is set")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.LeaseDuration == 0 {
		o.LeaseDuration = 15 * time.Second
	}
	if o.Holder == "" {
		host, err := os.Hostname()
		if err != nil {
			host = "unknown host"
		}
		o.Holder = fmt.Sprintf("%s, process %d", host, os.Getpid())
	}
	return &Cluster{declared: declared, options: o, applied: map[string]string{}, records: map[string]*stored{}, stalls: map[string]stall{}, unstopped: map[string]time.Time{}, watched: map[string]*attempts{}, stageReads: map[string]stageRead{}, tried: map[api.Resource]func() error{}, documents: map[string]string{}, begun: map[string]*begun{}, doomed: map[string]*doomed{}}, nil
}

// connect returns the client. The first call creates the client.
func (c *Cluster) connect() (*api.Client, error) {
	c.connectOnce.Do(func() {
		t := api.DefaultTimeouts
		if c.options.RequestTimeout > 0 {
			t.Request = c.options.RequestTimeout
		}
		if c.options.RetryPause > 0 {
			t.First = c.options.RetryPause
		}
		if c.client, c.connectErr = api.Connect(c.declared, t); c.connectErr == nil {
			c.namespace = c.client.Namespace()
		}
	})
	return c.client, c.connectErr
}

// Namespace returns the namespace of the jobs.
func (c *Cluster) Namespace() (string, error) {
	_, err := c.connect()
	return c.namespace, err
}

// Server implements cluster.Addressed.
func (c *Cluster) Server() (string, error) {
	client, err := c.connect()
	if err != nil {
		return "", err
	}
	return client.Server(), nil
}

// Check implements cluster.Checker. It fails if the kubeconfig cannot be read;
// see check.Run.
func (c *Cluster) Check(ctx context.Context, ws *hclspec.Workspace, jobs []*resolve.Job) ([]cluster.CheckResult, error) {
	client, err := c.connect()
	if err != nil {
		return nil, err
	}
	return check.Run(ctx, client, c.declared, ws, jobs)
}
