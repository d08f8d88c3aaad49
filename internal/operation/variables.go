// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Earlier resolves the jobs that the files declare with other values of variables,
// as JSON. It returns false if the files are not valid with these values.
type Earlier func(values map[string]json.RawMessage) ([]*resolve.Job, bool)

const (
	// maxEarlier is the maximum number of times that a plan resolves the jobs with
	// earlier values of variables. It is sufficient for four variables and their
	// six pairs.
	maxEarlier = 10
	// runRequests is the number of run records that are read at the same time.
	runRequests = 8
)

// attribute sets variables as the causes of changed fields. The record of a run
// contains the values of the variables at its submission. Variables are the cause
// of a changed field if they have other values now and the field would not change
// with the recorded values. A job without a readable record, or a job that was
// changed in place afterwards, has no such causes.
func (o *Operation) attribute(ctx context.Context, r Request, p *Plan) {
	changes := p.comparedChanges()
	if r.Earlier == nil || len(r.Workspace.Variables) == 0 || len(changes) < 2 { // a single change forms no group
		return
	}
	runs := p.appliedRuns(ctx, changes)
	earlier := earlierJobs{resolve: r.Earlier, known: map[string]map[hclspec.Address]*resolve.Job{}}
	for _, sets := range []func([]assignment) [][]assignment{singles, pairs} {
		for i, c := range changes {
			for _, set := range sets(changedVariables(runs[i], r.Workspace.Variables)) {
				if c.CausedByVariables() {
					break
				}
				if job := earlier.with(set)[c.Address]; job != nil {
					c.AttributeTo(assigned(set), job, p.compared(c))
				}
			}
		}
	}
}

// comparedChanges returns the changes of jobs with changed fields.
func (p *Plan) comparedChanges() []*planner.Change {
	return slices.DeleteFunc(slices.Clone(p.Changes), func(c *planner.Change) bool {
		return len(c.Fields) == 0 || p.compared(c) == nil
	})
}

// compared returns the live job that a change compares with its declaration, or
// nil.
func (p *Plan) compared(c *planner.Change) *planner.LiveJob {
	if p.Live[c.Cluster] == nil {
		return nil
	}
	return p.Live[c.Cluster].Job(cmp.Or(c.Replaced, c.Framework))
}

// appliedRuns reads the records of the live jobs of changes; nil for a job whose
// record does not have the content that was applied last.
func (p *Plan) appliedRuns(ctx context.Context, changes []*planner.Change) []*history.Run {
	runs := make([]*history.Run, len(changes))
	slots := make(chan struct{}, runRequests)
	var reading sync.WaitGroup
	for i, c := range changes {
		store, ok := p.Clusters[c.Cluster].(cluster.RunStore)
		live := p.compared(c)
		if !ok || live.Run == 0 {
			continue
		}
		slots <- struct{}{}
		reading.Go(func() {
			defer func() { <-slots }()
			key := history.Key{Framework: live.Framework, Number: live.Run, Short: history.ShortUID(live.UID)}
			if r, err := store.Run(ctx, live.Workspace, key); err == nil && r.UID == live.UID && r.Hash == live.Hash {
				runs[i] = r
			}
		})
	}
	reading.Wait()
	return runs
}

// assignment is a value of a variable, as canonical JSON.
type assignment struct{ variable, value string }

// changedVariables returns the recorded values of the variables that have another
// value now. Sensitive variables have no recorded value.
func changedVariables(r *history.Run, now []*hclspec.Variable) []assignment {
	var all []assignment
	for _, v := range now {
		if r == nil || v.Value == "" {
			continue
		}
		for _, was := range r.Variables {
			if a := (assignment{v.Name, canonical(was.Value)}); was.Name == v.Name && a.value != "" && a.value != canonical([]byte(v.Value)) {
				all = append(all, a)
			}
		}
	}
	return all
}

// canonical returns a JSON value in a form that is the same for equal values. It
// returns "" if the text is not JSON.
func canonical(text []byte) string {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil {
		return ""
	}
	same, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(same)
}

// assigned returns the names of the variables of a set.
func assigned(set []assignment) []string {
	all := make([]string, len(set))
	for i, a := range set {
		all[i] = a.variable
	}
	return all
}

// singles returns a set for each assignment.
func singles(all []assignment) [][]assignment {
	var sets [][]assignment
	for _, a := range all {
		sets = append(sets, []assignment{a})
	}
	return sets
}

// pairs returns the sets of two assignments.
func pairs(all []assignment) [][]assignment {
	var sets [][]assignment
	for i, a := range all {
		for _, b := range all[i+1:] {
			sets = append(sets, []assignment{a, b})
		}
	}
	return sets
}

// earlierJobs are the jobs by address with sets of earlier values.
type earlierJobs struct {
	resolve Earlier
	known   map[string]map[hclspec.Address]*resolve.Job
}

// with returns the jobs with a set of earlier values; nil if the jobs cannot be
// resolved.
func (e *earlierJobs) with(set []assignment) map[hclspec.Address]*resolve.Job {
	key := fmt.Sprintf("%q", set)
	if jobs, known := e.known[key]; known || len(e.known) == maxEarlier {
		return jobs
	}
	e.known[key] = nil
	values := map[string]json.RawMessage{}
	for _, a := range set {
		values[a.variable] = json.RawMessage(a.value)
	}
	if jobs, ok := e.resolve(values); ok {
		e.known[key] = map[hclspec.Address]*resolve.Job{}
		for _, job := range jobs {
			e.known[key][job.Address] = job
		}
	}
	return e.known[key]
}
