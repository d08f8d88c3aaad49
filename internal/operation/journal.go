// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// journal updates the run history while one plan is applied. The clusters are locked.
type journal struct {
	operation *Operation
	plan      *Plan
	options   ApplyOptions
	origin    history.Origin
	books     map[string]*book // by cluster
}

var _ cluster.Journal = (*journal)(nil)

// book is the history of a workspace on one cluster.
type book struct {
	cluster   string
	store     cluster.RunStore
	workspace string

	mu      sync.Mutex // guards the following fields
	kept    []history.Size
	numbers map[hclspec.Address]int
	begun   map[hclspec.Address]*history.Run // runs of this plan
}

// newJournal returns the journal for an apply, and assigns numbers to the
// runs of the plan.
func (o *Operation) newJournal(ctx context.Context, p *Plan, a ApplyOptions) (*journal, error) {
	j := &journal{operation: o, plan: p, options: a, books: map[string]*book{}}
	if o.options.Origin != nil {
		j.origin = o.options.Origin()
	}
	for name, c := range p.Clusters {
		store, ok := c.(cluster.RunStore)
		jobs := j.submissions(name)
		if !ok || len(jobs) == 0 && !j.writes(name) {
			continue
		}
		b, err := o.openBook(ctx, name, store, jobs, j.exist(name, jobs))
		if err != nil {
			return nil, fmt.Errorf("open the history of the workspace on cluster %s: %w", name, err)
		}
		j.books[name] = b
	}
	return j, nil
}

// openBook opens the history of the workspace on a cluster. It moves the history
// of renamed jobs before it assigns numbers. exist is true if some jobs already
// have a Framework. The history may then already contain their runs.
func (o *Operation) openBook(ctx context.Context, name string, store cluster.RunStore, jobs []cluster.Numbering, exist bool) (*book, error) {
	workspace := o.options.Workspace.Name
	store = o.history(name, workspace, store)
	b := &book{cluster: name, store: store, workspace: workspace, begun: map[hclspec.Address]*history.Run{}}
	moved := o.moved()
	err := cluster.MoveRuns(ctx, store, b.workspace, moved)
	if err != nil {
		return nil, err
	}
	if err := o.records().move(moved); err != nil { // the history must move first, because other commands publish its records
		return nil, err
	}
	serves := func([]history.Size) bool { return !exist }
	if b.kept, err = o.kept.list(ctx, name, store, b.workspace, serves); err != nil || len(jobs) == 0 {
		return b, err
	}
	b.numbers, err = cluster.NumberRuns(ctx, store, b.workspace, b.kept, jobs)
	return b, err
}

func (j *journal) submissions(name string) []cluster.Numbering {
	var all []cluster.Numbering
	for _, c := range j.plan.Changes {
		if c.Cluster == name && (c.Action == planner.Create || c.Action == planner.Replace) {
			all = append(all, cluster.Numbering{Address: c.Address, Framework: c.Framework, AtLeast: j.operation.recorded(c.Address)})
		}
	}
	return all
}

// exist reports whether any job had a Framework at plan time. It also returns
// true if the live state was unknown.
func (j *journal) exist(name string, jobs []cluster.Numbering) bool {
	seen := j.plan.Live[name]
	return seen == nil || slices.ContainsFunc(jobs, func(n cluster.Numbering) bool { return seen.Job(n.Framework) != nil })
}

func (j *journal) writes(name string) bool {
	return slices.ContainsFunc(j.plan.Changes, func(c *planner.Change) bool { return c.Cluster == name && c.Action != planner.NoOp })
}

// takenTries is the maximum number of run numbers that save tries. save tries
// several numbers, because other workspaces may already use a number.
const takenTries = 20

// Begin implements cluster.Journal. The Framework keeps its run number if a
// killed apply has already recorded the run.
func (j *journal) Begin(ctx context.Context, c *planner.Change, s *cluster.Submission, uid string) (int, error) {
	b := j.books[c.Cluster]
	if b == nil {
		return 0, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if known, err := b.byUID(ctx, c.Framework, uid); known != nil || err != nil {
		return numberOf(known), err
	}
	r := history.New(s.Job, s.Hash, j.origin, j.operation.now())
	r.UID, r.Number, r.RepeatOf = uid, b.numbers[c.Address], s.RepeatOf
	r.Secrets, r.SecretsKey = s.SecretVersions, s.SecretsKey
	if repeated := j.plan.repeatOf[c.Address]; repeated != nil {
		r.Variables, r.Items = repeated.Variables, repeated.Items
	}
	if err := b.save(ctx, r); err != nil {
		return 0, fmt.Errorf("write the record of the run: %w", err)
	}
	b.begun[c.Address] = r
	j.operation.kept.add(b.cluster, r)
	return r.Number, j.operation.publish(r)
}

func numberOf(r *history.Run) int {
	if r == nil {
		return 0
	}
	return r.Number
}

func runNumbers(runs map[hclspec.Address]*history.Run) map[hclspec.Address]int {
	numbers := map[hclspec.Address]int{}
	for address, r := range runs {
		numbers[address] = r.Number
	}
	return numbers
}

// save writes a new run. It tries the next number if another workspace
// already uses the number.
func (b *book) save(ctx context.Context, r *history.Run) error {
	for range takenTries {
		err := b.store.SaveRun(ctx, r)
		if !errors.Is(err, cluster.ErrRunTaken) {
			return err
		}
		next := cluster.Numbering{Address: r.Address, Framework: r.Framework, AtLeast: r.Number}
		numbers, err := cluster.NumberRuns(ctx, b.store, b.workspace, b.kept, []cluster.Numbering{next})
		if err != nil {
			return err
		}
		r.Number = numbers[r.Address]
	}
	return cluster.ErrRunTaken
}

// byUID returns the run of a Framework, or nil.
func (b *book) byUID(ctx context.Context, framework, uid string) (*history.Run, error) {
	for _, k := range b.kept {
		if k.Framework != framework || k.Short != history.ShortUID(uid) {
			continue
		}
		r, err := b.store.Run(ctx, b.workspace, k.Key)
		if err != nil || r.UID == uid {
			return r, err
		}
	}
	return nil, nil
}

// Failed implements cluster.Journal.
func (j *journal) Failed(ctx context.Context, c *planner.Change) {
	b := j.books[c.Cluster]
	finder, ok := j.plan.Clusters[c.Cluster].(cluster.Finder)
	if b == nil || !ok || b.begun[c.Address] == nil {
		return
	}
	r := b.begun[c.Address]
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTime)
	defer cancel()
	if live, err := finder.Find(ctx, c.Framework); err == nil && (live == nil || live.UID != r.UID) {
		_ = b.store.RemoveRun(ctx, b.workspace, r.Key(), false) // after an error, the record remains without an outcome
		j.operation.unpublish(r)
	}
}

// Deleting implements cluster.Journal.
func (j *journal) Deleting(ctx context.Context, c *planner.Change) error {
	b := j.books[c.Cluster]
	snapshot := j.plan.Live[c.Cluster]
	if b == nil || snapshot == nil {
		return nil
	}
	live := snapshot.Job(c.Replaced)
	if live == nil || live.Run == 0 {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	forget := j.options.Forget && c.Action == planner.Delete
	if !forget || j.operation.records().name != "" { // the published record remains and must contain the outcome
		if err := j.operation.conclude(ctx, j.plan.Clusters[c.Cluster], b.workspace, live); err != nil {
			return err
		}
	}
	if forget {
		return j.operation.forgetRuns(ctx, c.Cluster, b.store, live)
	}
	return nil
}

// RepeatOf implements cluster.Journal.
func (j *journal) RepeatOf(c *planner.Change) int { return numberOf(j.plan.repeatOf[c.Address]) }

// close removes runs beyond the limits. The next apply retries failed
// removals.
func (j *journal) close(ctx context.Context) {
	for _, name := range slices.Sorted(maps.Keys(j.books)) {
		b := j.books[name]
		if limits := j.operation.limits(b.store); len(b.numbers) > 0 && j.operation.kept.prunes(name, limits) {
			_ = j.operation.kept.prune(ctx, name, b.store, b.workspace, limits)
		}
	}
}

func (o *Operation) limits(store cluster.RunStore) history.Limits {
	l := store.RunLimits()
	if mib := o.options.Workspace.HistoryLimit; mib > 0 && l.Bytes > 0 {
		l.Bytes = int64(mib) << 20
	}
	return l
}
