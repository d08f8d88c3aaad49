// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// firstPairs is the number of workspace pairs that a test checks without the
// build tag acc. With the tag, another test checks additional pairs.
const firstPairs = 1000

func TestAPlanIsWhatApplyWrites(t *testing.T) {
	checkPairs(t, 0, firstPairs)
}

// checkPairs checks the workspace pairs with numbers from first to last-1.
// Between the two applies of a pair, it simulates the life of the jobs.
func checkPairs(t *testing.T, first, last uint64) {
	t.Setenv("LC_ALL", "C")
	pairs := int(last - first)
	actions := map[planner.Action]int{}
	for seed := first; seed < last; seed++ {
		r := rand.New(rand.NewPCG(seed, 17))
		c := newRecorder(r)
		before := generate(r)
		plan := checkPair(t, seed, c, t.TempDir(), before)
		c.liveOn()
		after := before.changed(r)
		if r.IntN(10) == 0 {
			after = generate(r)
		}
		for _, ch := range append(plan.Changes, checkPair(t, seed, c, t.TempDir(), after).Changes...) {
			actions[ch.Action]++
		}
		if t.Failed() {
			t.Fatalf("pair %d:\n%s\n-- becomes --\n%s", seed, before, after)
		}
	}
	t.Logf("%d pairs: %v", pairs, actions)
	for _, a := range []planner.Action{planner.NoOp, planner.Create, planner.Update, planner.Replace, planner.Delete} {
		if actions[a] < pairs/20 {
			t.Errorf("only %d of %v: the generator does not produce enough of them", actions[a], a)
		}
	}
}

// checkPair plans and applies one workspace of a pair.
func checkPair(t *testing.T, seed uint64, c *recorder, dir string, g *generated) *operation.Plan {
	t.Helper()
	g.write(t, dir, nil)
	o, plan := planIn(t, c, dir, g)
	text := document(t, plan)
	sameBytes(t, seed, c, g, dir, text)

	c.calls = nil
	if err := o.Apply(context.Background(), plan, operation.ApplyOptions{}); err != nil {
		t.Errorf("apply: %v", err)
	}
	slices.Sort(c.calls)
	if diff := cmp.Diff(listed(plan), c.calls); diff != "" {
		t.Errorf("writes (-plan +recorded):\n%s", diff)
	}
	if plan.Empty() != (len(c.calls) == 0) {
		t.Errorf("the plan is empty: %v, but apply wrote %q", plan.Empty(), c.calls)
	}

	again, second := planIn(t, c, dir, g)
	if !second.Empty() {
		t.Errorf("the plan after apply is not empty:\n%s", document(t, second))
	}
	c.calls = nil
	if err := again.Apply(context.Background(), second, operation.ApplyOptions{}); err != nil || len(c.calls) > 0 {
		t.Errorf("the second apply wrote %q: %v", c.calls, err)
	}
	return plan
}

// sameBytes plans again with a different file order, locale and number of
// CPUs. The plan must be byte-identical.
func sameBytes(t *testing.T, seed uint64, c *recorder, g *generated, dir, want string) {
	t.Helper()
	shuffled := filepath.Join(dir, "shuffled", filepath.Base(dir))
	if err := os.MkdirAll(shuffled, 0o700); err != nil {
		t.Fatal(err)
	}
	g.write(t, shuffled, rand.New(rand.NewPCG(seed, 18)))
	t.Setenv("LC_ALL", []string{"tr_TR.UTF-8", "C", "de_DE.UTF-8"}[seed%3])
	processors := runtime.GOMAXPROCS(1 + int(seed%4))
	defer runtime.GOMAXPROCS(processors)
	_, plan := planIn(t, c, shuffled, g)
	if diff := cmp.Diff(want, document(t, plan)); diff != "" {
		t.Errorf("the plan of the same files (-first +second):\n%s", diff)
	}
}

func document(t *testing.T, p *operation.Plan) string {
	t.Helper()
	text, err := view.JSON(p.Plan, phrase.Of)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// listed returns the sorted writes that a plan announces.
func listed(p *operation.Plan) []string {
	var all []string
	for _, c := range p.Changes {
		if c.Replaced != "" {
			all = append(all, "delete "+c.Replaced)
		}
		if c.Action == planner.Create || c.Action == planner.Replace {
			all = append(all, "create "+c.Framework)
		}
		if c.Action == planner.Update {
			all = append(all, "update "+c.Framework)
		}
	}
	slices.Sort(all)
	return all
}

func planIn(t *testing.T, c *recorder, dir string, g *generated) (*operation.Operation, *operation.Plan) {
	t.Helper()
	loaded, diags := workspace.Load(workspace.Options{Path: dir, Environ: []string{}})
	jobs, more := resolve.All(resolve.Input{Workspace: loaded.Workspace, User: "alice"})
	if diags = append(diags, more...); diags.HasErrors() {
		t.Fatalf("%v\n%s", diags, g)
	}
	o := operation.New(operation.Options{
		Workspace: loaded.Workspace, Named: true, Directory: dir, Declarer: planner.DeclaredByCommandLine,
		Secret: func(s *hclspec.Secret) (string, error) { return g.secret, nil },
		Open:   func(*hclspec.Cluster) (cluster.Cluster, error) { return c, nil },
	})
	plan, err := o.Plan(context.Background(), operation.Request{Jobs: jobs})
	if err != nil {
		t.Fatalf("plan: %v\n%s", err, g)
	}
	if plan.Diagnostics.HasErrors() {
		t.Fatalf("plan: %v\n%s", plan.Diagnostics, g)
	}
	plan.Diagnostics = nil // the ranges of the diagnostics refer to different file names
	return o, plan
}

// recorder is a cluster that stores applied jobs, runs nothing, and records every
// write.
type recorder struct {
	cluster.Cluster
	random *rand.Rand

	mu    sync.Mutex
	calls []string
	jobs  map[string]*planner.LiveJob
	key   []byte
	uid   int
}

func newRecorder(r *rand.Rand) *recorder {
	return &recorder{random: r, jobs: map[string]*planner.LiveJob{}}
}

func (c *recorder) Read(context.Context, string, []string) (*planner.Snapshot, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &planner.Snapshot{SecretKey: c.key}
	for _, j := range c.jobs {
		copied := *j
		s.Jobs = append(s.Jobs, &copied)
	}
	slices.SortFunc(s.Jobs, func(a, b *planner.LiveJob) int { return strings.Compare(string(a.Address), string(b.Address)) })
	return s, nil
}

func (c *recorder) Guard(context.Context, hclspec.SourceMap) (hcl.Diagnostics, error) {
	return nil, nil
}

// SecretKey creates a missing key, which is a write.
func (c *recorder) SecretKey(context.Context, string) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.key == nil {
		c.key = []byte("the key of the workspace")
	}
	return c.key, nil
}

func (c *recorder) Create(_ context.Context, s cluster.Submission) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = append(c.calls, "create "+s.Job.Framework)
	if known := c.jobs[s.Job.Framework]; known != nil && known.Present {
		return errors.New("it exists")
	}
	c.uid++
	c.jobs[s.Job.Framework] = &planner.LiveJob{
		Workspace: s.Job.Workspace, User: s.Job.User, Framework: s.Job.Framework, UID: fmt.Sprint(c.uid), Present: true, State: planner.StateWaiting,
	}
	return c.keep(s)
}

func (c *recorder) Update(_ context.Context, s cluster.Submission) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = append(c.calls, "update "+s.Job.Framework)
	if c.jobs[s.Job.Framework] == nil {
		return cluster.ErrNotFound
	}
	return c.keep(s)
}

func (c *recorder) keep(s cluster.Submission) error {
	j := c.jobs[s.Job.Framework]
	j.Address, j.Hash, j.Fields, j.Applied, j.SecretVersions, j.DeclaredBy = s.Job.Address, s.Hash, s.Fields, s.Job, s.SecretVersions, s.DeclaredBy
	j.Drift = nil
	return nil
}

func (c *recorder) Delete(_ context.Context, framework string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls = append(c.calls, "delete "+framework)
	if c.jobs[framework] == nil {
		return cluster.ErrNotFound
	}
	delete(c.jobs, framework)
	return nil
}

func (c *recorder) Status(context.Context, string) (*cluster.Status, error) {
	return nil, cluster.ErrNotFound
}

func (c *recorder) Logs(context.Context, cluster.LogRequest, io.Writer) error {
	return cluster.ErrNotFound
}

// liveOn randomly changes the live state of each job. The job may run, end or
// disappear. It may also lose its applied configuration and keep only the
// hashes. Another program may also edit the job.
func (c *recorder) liveOn() {
	for _, name := range slices.Sorted(maps.Keys(c.jobs)) {
		j := c.jobs[name]
		switch c.random.IntN(10) {
		case 0:
			j.State = planner.StateSucceeded
		case 1:
			j.State = planner.StateFailed
		case 2:
			j.Present, j.State = false, planner.StateRunning // deleted by another user
			j.UID = ""
		case 3:
			j.State, j.RunningTasks = planner.StateRunning, 1
			j.Drift = []planner.Drift{{Object: "Framework " + name, Path: "spec.retryPolicy", Kind: planner.DriftForeign}}
		case 4:
			j.Applied = nil
		default:
			j.State, j.RunningTasks = planner.StateRunning, 1+c.random.IntN(3)
		}
	}
}
