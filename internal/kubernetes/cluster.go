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

// Options are what a cluster takes from its surroundings.
type Options struct {
	// Workspace is the only one whose objects are written.
	Workspace string
	// Holder names this process in the workspace's Lease; empty: the host and
	// the process.
	Holder string

	// The zero value of these means the real ones.
	Now    func() time.Time
	Random io.Reader
	// LeaseDuration is how long a Lease holds that is not renewed: 15 s.
	LeaseDuration time.Duration
	// RequestTimeout is the longest time of one request: 30 s.
	RequestTimeout time.Duration
	// RetryPause is the pause before a request is sent again; it doubles:
	// 250 ms, at most 15 s.
	RetryPause time.Duration
}

// Cluster is a namespace of a Kubernetes cluster as one workspace uses it. It
// is safe for concurrent use.
type Cluster struct {
	declared *hclspec.Cluster
	options  Options

	connectOnce sync.Once
	connectErr  error
	client      *api.Client
	namespace   string

	mu        sync.Mutex
	applied   map[string]string  // volumes and claims that this process applied, by object, with their content
	records   map[string]*stored // of Frameworks whose status was asked for
	documents map[string]string  // UIDs of documents of the history, by ConfigMap
	begun     map[string]*begun  // creations that are not finished, by Framework
	doomed    map[string]*doomed // jobs that were read for their deletion, by Framework
	// unstopped holds when a requested stop was first seen that the engine had
	// not taken up, by Framework.
	unstopped  map[string]time.Time
	stalls     map[string]stall              // incomplete jobs whose status was asked for, by Framework
	tried      map[api.Resource]func() error // writes that preflight tried, with their errors
	watched    map[string]*attempts          // of Frameworks whose Pods were watched
	stageReads map[string]*stageRead         // stages of tasks that were read from their logs, by Pod and attempt
	// removedKey is the key that CleanUp removed: who has planned with it still
	// gets it.
	removedKey []byte
	deleted    bool // whether the last job of the workspace may be gone

	reviewing sync.Mutex
	reviewed  bool        // whether the user's permissions were asked for
	rules     accessRules // nil when nobody can list them
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
	_ cluster.Creator      = (*Cluster)(nil)
	_ cluster.StageSource  = (*Cluster)(nil)
	_ cluster.Releaser     = (*Cluster)(nil)
	_ cluster.StorageOwner = (*Cluster)(nil)

	_ cluster.AttemptWatcher = (*Cluster)(nil)

	_ cluster.PermissionReviewer = (*Cluster)(nil)
)

// Open returns the cluster of a cluster block. The kubeconfig is read and the
// API server asked with the first call that needs it.
func Open(declared *hclspec.Cluster, o Options) (*Cluster, error) {
	if o.Workspace == "" {
		return nil, errors.New("open a Kubernetes cluster: no workspace is named")
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
	return &Cluster{declared: declared, options: o, applied: map[string]string{}, records: map[string]*stored{}, stalls: map[string]stall{}, unstopped: map[string]time.Time{}, watched: map[string]*attempts{}, stageReads: map[string]*stageRead{}, tried: map[api.Resource]func() error{}, documents: map[string]string{}, begun: map[string]*begun{}, doomed: map[string]*doomed{}}, nil
}

// connect makes the connection with the first call.
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

// Check implements cluster.Checker. An error is a kubeconfig that cannot be
// read; see check.Run.
func (c *Cluster) Check(ctx context.Context, ws *hclspec.Workspace, jobs []*resolve.Job) ([]cluster.CheckResult, error) {
	client, err := c.connect()
	if err != nil {
		return nil, err
	}
	return check.Run(ctx, client, c.declared, ws, jobs)
}
