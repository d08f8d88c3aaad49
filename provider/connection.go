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
	// decisive is [settings.decisive].
	decisive string

	opening sync.Mutex // guards cluster
	cluster cluster.Cluster

	looking sync.Mutex // held while the workspace is read, so that one look serves all

	mu     sync.Mutex // guards what was seen; never held while the cluster is asked
	seen   *planner.Snapshot
	until  time.Time
	absent map[string]time.Time // Frameworks that were not there, until when that is believed
	// written are the jobs that were read again after a write. A look that was
	// under way then is older.
	written map[string]reread

	taken taken

	writing sync.Mutex // guards the lock of the workspace
	writers int
	unlock  func()

	// submitted leads from a declared job to the workspace that it was
	// declared in, while it is submitted.
	submitted sync.Map
}

func newConnection(s *settings, open opener) *connection {
	return &connection{settings: s, open: open, now: time.Now, decisive: s.decisive(), absent: map[string]time.Time{}, written: map[string]reread{}}
}

// Cluster opens the cluster, once.
func (c *connection) Cluster() (cluster.Cluster, error) {
	c.opening.Lock()
	defer c.opening.Unlock()
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

// servesFor is how long what took a time to read serves. What took long serves
// longer, so that reading costs at most a tenth of the time.
func servesFor(took time.Duration) time.Duration { return max(snapshotAge, 10*took) }

// live returns the job of the workspace with that address, every other job
// that has the name of its Framework, and the key of the workspace.
func (c *connection) live(ctx context.Context, address hclspec.Address, framework string) (*planner.Snapshot, error) {
	seen, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	found := &planner.Snapshot{SecretKey: seen.SecretKey, Permissions: seen.Permissions}
	for _, job := range seen.Jobs {
		if job.Framework == framework || job.Workspace == c.Workspace && job.Address == address {
			found.Jobs = append(found.Jobs, job)
		}
	}
	if len(found.Jobs) > 0 || c.wasAbsent(framework) {
		return found, nil
	}
	// A job of another workspace is not in the snapshot.
	foreign, err := c.holder(ctx, framework)
	if err == nil && foreign != nil {
		found.Jobs = append(found.Jobs, foreign)
	}
	if err == nil && foreign == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.absent[framework] = c.now().Add(snapshotAge)
	}
	return found, err
}

func (c *connection) wasAbsent(framework string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now().Before(c.absent[framework])
}

// look returns the jobs of the workspace; it reads them unless that was done
// just now.
func (c *connection) look(ctx context.Context) (*planner.Snapshot, error) {
	c.looking.Lock()
	defer c.looking.Unlock()
	if seen := c.fresh(); seen != nil {
		return seen, nil
	}
	opened, err := c.Cluster()
	if err != nil {
		return nil, err
	}
	began := c.now()
	seen, err := opened.Read(ctx, c.Workspace, nil)
	if err != nil {
		return nil, fmt.Errorf("read the jobs of workspace %s: %w", c.Workspace, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for framework, w := range c.written {
		if w.at.Before(began) {
			delete(c.written, framework)
			continue
		}
		seen = replaced(seen, framework, w.job)
	}
	c.seen, c.until = seen, c.now().Add(servesFor(c.now().Sub(began)))
	return seen, nil
}

// replaced returns a snapshot with another job for a Framework; nil for none.
func replaced(seen *planner.Snapshot, framework string, job *planner.LiveJob) *planner.Snapshot {
	jobs := slices.DeleteFunc(slices.Clone(seen.Jobs), func(j *planner.LiveJob) bool { return j.Framework == framework })
	if job != nil {
		jobs = append(jobs, job)
	}
	return &planner.Snapshot{SecretKey: seen.SecretKey, Permissions: seen.Permissions, Jobs: jobs}
}

// reread is a job as it was after a write, nil when it was gone.
type reread struct {
	job *planner.LiveJob
	at  time.Time
}

// fresh returns what was seen just now, or nil.
func (c *connection) fresh() *planner.Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen != nil && c.now().Before(c.until) {
		return c.seen
	}
	return nil
}

// find reads one job by the name of its Framework; nil when there is none.
func (c *connection) find(ctx context.Context, framework string) (*planner.LiveJob, error) {
	opened, err := c.Cluster()
	if err != nil {
		return nil, err
	}
	if f, ok := opened.(cluster.Finder); ok {
		job, err := f.Find(ctx, framework)
		if err != nil {
			return nil, fmt.Errorf("read the job %s: %w", framework, err)
		}
		return job, nil
	}
	s, err := opened.Read(ctx, c.Workspace, []string{framework})
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
	job, err := c.find(ctx, framework)
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.absent, framework)
	if err != nil {
		return nil, err
	}
	c.written[framework] = reread{job, c.now()}
	if c.seen == nil {
		return job, nil
	}
	c.seen = replaced(c.seen, framework, job)
	if c.seen.SecretKey == nil && job != nil && len(job.SecretVersions) > 0 {
		c.until = time.Time{} // the write made it
	}
	return job, nil
}

// jobs returns the jobs of the workspace, sorted by address.
func (c *connection) jobs(ctx context.Context) ([]*planner.LiveJob, error) {
	seen, err := c.look(ctx)
	if err != nil {
		return nil, err
	}
	var own []*planner.LiveJob
	for _, job := range seen.Jobs {
		if job.Workspace == c.Workspace {
			own = append(own, job)
		}
	}
	slices.SortFunc(own, func(a, b *planner.LiveJob) int { return strings.Compare(string(a.Address), string(b.Address)) })
	return own, nil
}
