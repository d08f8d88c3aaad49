// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// ApplyOptions controls how a plan is applied.
type ApplyOptions struct {
	// Secret returns the value of a secret. Apply calls Secret once per secret,
	// never concurrently. Errors must explain how to provide the value.
	Secret func(context.Context, *resolve.Secret) (string, error)
	// Declaration returns the declaration of a job. The job's record stores it
	// for import; see Submission.Declaration. Declaration may be nil.
	Declaration func(*planner.Change) []byte
	// Creating marks the jobs that Apply creates; see Submission.Creating.
	Creating bool
	// Random is the source of randomness for the ssh keys of jobs; nil means
	// crypto/rand.
	Random io.Reader
	// Journal records the history of runs; nil means no history.
	Journal Journal
	// Progress may be nil.
	Progress Progress
	// Parallel is the maximum number of jobs that Apply processes concurrently; 0
	// means 8.
	Parallel int
}

const defaultParallel = 8

// Progress receives the steps of Apply. Its methods are never called
// concurrently.
type Progress interface {
	Begin(c *planner.Change, s Step)
	// Apply calls End after every Begin; err is nil if the step succeeded.
	End(c *planner.Change, s Step, err error)
}

// Journal records runs in the history while Apply applies a plan. Its methods
// may be called concurrently.
type Journal interface {
	// Begin writes a run record after the Framework is created and before it
	// is started; see [Submission.Begin].
	Begin(ctx context.Context, c *planner.Change, s *Submission, uid string) (run int, err error)
	// Failed removes the run record if the job does not exist. Apply calls
	// Failed after a failed submission.
	Failed(ctx context.Context, c *planner.Change)
	// Apply calls Deleting before it deletes a job. Deleting writes the
	// outcome of the job's run.
	Deleting(ctx context.Context, c *planner.Change) error
	// RepeatOf returns the number of the run that a change repeats, or 0 for
	// none.
	RepeatOf(c *planner.Change) int
}

// Step is one step of a change. A replacement has two.
type Step string

// The steps.
const (
	StepDelete Step = "delete"
	StepCreate Step = "create"
	StepUpdate Step = "update"
)

// Apply applies a plan. Jobs are independent: the failure of one job does not stop the
// others. Apply returns all errors in the order of the plan. Before it creates a job,
// it completes the planned deletions of jobs with the same name. After the context is
// done, Apply starts no more steps. The error lists the remaining steps. Applying a
// new plan completes the remaining steps.
func Apply(ctx context.Context, p *planner.Plan, clusters map[string]Cluster, o ApplyOptions) error {
	if err := applicable(p, clusters); err != nil {
		return err
	}
	a := newApplication(p, clusters, o)
	if len(a.tasks) == 1 {
		a.run(ctx, a.tasks[0])
		return a.errors(ctx)
	}
	var running sync.WaitGroup
	for _, t := range a.tasks {
		running.Go(func() { a.run(ctx, t) })
	}
	running.Wait()
	return a.errors(ctx)
}

func applicable(p *planner.Plan, clusters map[string]Cluster) error {
	switch {
	case p.Offline:
		return message.WithHint(errors.New("apply: the plan was created offline, without the live state"), message.Hint{Kind: message.HintPlanOnline})
	case p.Diagnostics.HasErrors():
		return errors.New("apply: the plan has errors; fix the errors and plan again")
	}
	for _, c := range p.Changes {
		if c.Action != planner.NoOp && clusters[c.Cluster] == nil {
			return fmt.Errorf("apply %s: the cluster %s is not open", c.Address, c.Cluster)
		}
	}
	return nil
}

// task is one step of a planned change.
type task struct {
	change  *planner.Change
	step    Step
	cluster Cluster
	// after contains the deletions that must succeed before the task starts.
	after []*task
	done  chan struct{} // closed when the task ends or is abandoned
	begun bool
	err   error
}

// application is the state of one call to Apply.
type application struct {
	tasks   []*task // in the order of the plan
	slots   chan struct{}
	secrets *secrets
	declare func(*planner.Change) []byte
	by      planner.Declarer
	mark    bool // ApplyOptions.Creating
	random  io.Reader
	journal Journal

	mu       sync.Mutex // guards progress
	progress Progress
}

func newApplication(p *planner.Plan, clusters map[string]Cluster, o ApplyOptions) *application {
	parallel := o.Parallel
	if parallel <= 0 {
		parallel = defaultParallel
	}
	a := &application{
		slots: make(chan struct{}, parallel), secrets: newSecrets(p.Workspace, o.Secret), progress: o.Progress,
		declare: o.Declaration, by: p.Declarer, mark: o.Creating, random: o.Random, journal: o.Journal,
	}
	for _, c := range p.Changes {
		for _, s := range steps(c) {
			a.tasks = append(a.tasks, &task{change: c, step: s, cluster: clusters[c.Cluster], done: make(chan struct{})})
		}
	}
	for _, t := range a.tasks {
		t.after = a.deletionsBefore(t)
	}
	return a
}

// steps returns the steps of a change in order.
func steps(c *planner.Change) []Step {
	var all []Step
	if c.Action != planner.NoOp && c.Replaced != "" {
		all = append(all, StepDelete)
	}
	switch c.Action {
	case planner.Create, planner.Replace:
		all = append(all, StepCreate)
	case planner.Update:
		all = append(all, StepUpdate)
	}
	return all
}

// deletionsBefore returns the deletions that must precede t: the deletion in
// the same change, and deletions of a Framework with the same name on the
// same cluster. Deletions do not wait for other steps, so the steps cannot
// deadlock.
func (a *application) deletionsBefore(t *task) []*task {
	if t.step == StepDelete {
		return nil
	}
	var all []*task
	for _, d := range a.tasks {
		sameName := d.change.Cluster == t.change.Cluster && d.change.Replaced == t.change.Framework
		if d.step == StepDelete && (sameName || d.change == t.change) {
			all = append(all, d)
		}
	}
	return all
}

// run waits for the preceding deletions and then runs t.
func (a *application) run(ctx context.Context, t *task) {
	defer close(t.done)
	for _, d := range t.after {
		<-d.done
		if d.err != nil || !d.begun {
			t.err = blocked(t, d)
			return
		}
	}
	select {
	case <-ctx.Done():
		return
	case a.slots <- struct{}{}:
		defer func() { <-a.slots }()
	}
	if ctx.Err() != nil {
		return
	}
	t.begun = true
	a.report(func(p Progress) { p.Begin(t.change, t.step) })
	t.err = a.do(ctx, t)
	a.report(func(p Progress) { p.End(t.change, t.step, t.err) })
}

// blocked returns the error for a task after an unsuccessful deletion. It returns
// nil if the deletion did not start or belongs to the same change. Apply reports
// both cases separately.
func blocked(t, deletion *task) error {
	if deletion.err == nil || deletion.change == t.change {
		return nil
	}
	return fmt.Errorf("create %s: %s uses the same Framework name, but was not deleted", t.change.Address, deletion.change.Address)
}

func (a *application) report(notify func(Progress)) {
	if a.progress == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	notify(a.progress)
}

func (a *application) do(ctx context.Context, t *task) error {
	if err := a.call(ctx, t); err != nil {
		return fmt.Errorf("%s %s: %w", t.step, t.change.Address, err)
	}
	return nil
}

func (a *application) call(ctx context.Context, t *task) error {
	if t.step == StepDelete {
		if err := a.secrets.keyIsReadable(ctx, t); err != nil {
			return err
		}
		if a.journal != nil {
			if err := a.journal.Deleting(ctx, t.change); err != nil {
				return err
			}
		}
		err := t.cluster.Delete(ctx, t.change.Replaced)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		return err
	}
	s, err := a.submission(ctx, t)
	if err != nil {
		return err
	}
	if t.step == StepUpdate {
		return t.cluster.Update(ctx, s)
	}
	a.begin(t, &s)
	err = t.cluster.Create(ctx, s)
	if err != nil && a.journal != nil {
		a.journal.Failed(ctx, t.change)
	}
	return err
}

func (a *application) begin(t *task, s *Submission) {
	if a.journal == nil {
		return
	}
	s.RepeatOf = a.journal.RepeatOf(t.change)
	s.Begin = func(ctx context.Context, uid string) (int, error) { return a.journal.Begin(ctx, t.change, s, uid) }
}

// submission reads secret values only to create a job or if the Secrets of a
// running job were deleted.
func (a *application) submission(ctx context.Context, t *task) (Submission, error) {
	s := Submission{Job: t.change.Job, Manifest: t.change.Manifest, DeclaredBy: a.by}
	s.Hash, s.Fields = planner.Hashes(s.Job)
	if a.declare != nil {
		s.Declaration = a.declare(t.change)
	}
	if t.step == StepUpdate && !t.change.SecretsMissing() {
		s.SecretVersions = appliedVersions(t.change)
		return s, nil
	}
	s.Creating = a.mark && t.step == StepCreate
	if err := a.secrets.read(ctx, t, &s); err != nil {
		return s, err
	}
	return s, addJobKey(&s, a.random)
}

// errors joins the task errors. After an interrupt, an error lists the steps
// that did not start.
func (a *application) errors(ctx context.Context) error {
	var all []error
	var undone []string
	for _, t := range a.tasks {
		switch {
		case t.err != nil:
			all = append(all, t.err)
		case !t.begun && ctx.Err() != nil:
			undone = append(undone, string(t.step)+" "+t.change.Address.String())
		}
	}
	if len(undone) > 0 {
		all = append(all, fmt.Errorf("interrupted; steps not started: %s: %w", strings.Join(undone, ", "), ctx.Err()))
	}
	return errors.Join(all...)
}
