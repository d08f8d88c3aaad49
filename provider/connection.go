package provider

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes"
	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/internal/render"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// opener makes the cluster that settings name. config returns the protocol
// text of a job.
type opener func(s *settings, config func(*resolve.Job) string) (cluster.Cluster, error)

func openCluster(s *settings, config func(*resolve.Job) string) (cluster.Cluster, error) {
	if s.Cluster == nil {
		return local.Open(s.Directory, local.Options{})
	}
	return kubernetes.Open(s.Cluster, kubernetes.Options{
		Workspace: s.Workspace, Config: config,
		Target: render.ClusterTarget(s.workspaceOf(nil), s.Cluster.Name),
	})
}

// errUnknown says that the cluster cannot be asked yet.
var errUnknown = errors.New("the configuration of the provider is not known yet")

// connection is a configured provider: its settings, the cluster once it was
// needed, and what was seen there.
type connection struct {
	*settings
	open opener
	now  func() time.Time

	mu      sync.Mutex
	cluster cluster.Cluster
	seen    *planner.Snapshot
	until   time.Time

	writing sync.Mutex
	writers int
	unlock  func()

	// submitted leads from a declared job to the workspace that it was
	// declared in, while it is submitted.
	submitted sync.Map
}

func newConnection(s *settings, open opener) *connection {
	return &connection{settings: s, open: open, now: time.Now}
}

// Cluster opens the cluster, once.
func (c *connection) Cluster() (cluster.Cluster, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.opened()
}

func (c *connection) opened() (cluster.Cluster, error) {
	if c.Unknown {
		return nil, errUnknown
	}
	if c.cluster == nil {
		opened, err := c.open(c.settings, c.protocolText)
		if err != nil {
			return nil, err
		}
		c.cluster = opened
	}
	return c.cluster, nil
}

// snapshotAge is how long one look at the cluster serves. Terraform asks for
// hundreds of resources at once, and each look reads all jobs of the
// workspace.
const snapshotAge = 2 * time.Second

// live returns the job of the workspace with that address, every other job
// that has the name of its Framework, and the key of the workspace.
func (c *connection) live(ctx context.Context, address hclspec.Address, framework string) (*planner.Snapshot, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.look(ctx); err != nil {
		return nil, err
	}
	found := &planner.Snapshot{SecretKey: c.seen.SecretKey}
	for _, job := range c.seen.Jobs {
		if job.Framework == framework || job.Workspace == c.Workspace && job.Address == address {
			found.Jobs = append(found.Jobs, job)
		}
	}
	if len(found.Jobs) > 0 {
		return found, nil
	}
	// A job of another workspace is not in the snapshot.
	foreign, err := c.find(ctx, framework)
	if err == nil && foreign != nil {
		found.Jobs = append(found.Jobs, foreign)
	}
	return found, err
}

// look reads the jobs of the workspace, unless that was done just now.
func (c *connection) look(ctx context.Context) error {
	if c.seen != nil && c.now().Before(c.until) {
		return nil
	}
	opened, err := c.opened()
	if err != nil {
		return err
	}
	began := c.now()
	seen, err := opened.Read(ctx, c.Workspace, nil)
	if err != nil {
		return fmt.Errorf("read the jobs of workspace %s: %w", c.Workspace, err)
	}
	c.seen = seen
	// A look that took long serves longer, so that looking costs at most a
	// tenth of the time.
	c.until = c.now().Add(max(snapshotAge, 10*c.now().Sub(began)))
	return nil
}

// find reads one job by the name of its Framework; nil when there is none.
func (c *connection) find(ctx context.Context, framework string) (*planner.LiveJob, error) {
	if f, ok := c.cluster.(cluster.Finder); ok {
		job, err := f.Find(ctx, framework)
		if err != nil {
			return nil, fmt.Errorf("read the job %s: %w", framework, err)
		}
		return job, nil
	}
	s, err := c.cluster.Read(ctx, c.Workspace, []string{framework})
	if err != nil {
		return nil, fmt.Errorf("read the job %s: %w", framework, err)
	}
	for _, job := range s.Jobs {
		if job.Framework == framework {
			return job, nil
		}
	}
	return nil, nil
}

// reread looks at one job again after it was written, and returns it. The rest
// of what was seen stays.
func (c *connection) reread(ctx context.Context, framework string) (*planner.LiveJob, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := c.opened(); err != nil {
		return nil, err
	}
	job, err := c.find(ctx, framework)
	if err != nil || c.seen == nil {
		return job, err
	}
	jobs := slices.DeleteFunc(slices.Clone(c.seen.Jobs), func(j *planner.LiveJob) bool { return j.Framework == framework })
	if job != nil {
		jobs = append(jobs, job)
	}
	c.seen = &planner.Snapshot{SecretKey: c.seen.SecretKey, Jobs: jobs}
	if c.seen.SecretKey == nil {
		c.until = time.Time{} // the write may have made it
	}
	return job, nil
}

// jobs returns the jobs of the workspace, sorted by address.
func (c *connection) jobs(ctx context.Context) ([]*planner.LiveJob, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.look(ctx); err != nil {
		return nil, err
	}
	var own []*planner.LiveJob
	for _, job := range c.seen.Jobs {
		if job.Workspace == c.Workspace {
			own = append(own, job)
		}
	}
	slices.SortFunc(own, func(a, b *planner.LiveJob) int { return strings.Compare(string(a.Address), string(b.Address)) })
	return own, nil
}
