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

// Earlier resolves the declared jobs with inputs that an earlier run
// recorded. It returns false if the files are not valid with these inputs.
type Earlier func(hclspec.Inputs) ([]*resolve.Job, bool)

const (
	// maxEarlier limits how often a plan uses earlier inputs to resolve the jobs.
	// Ten attempts are enough for four inputs and their six pairs.
	maxEarlier = 10
	// runRequests is the number of run records that are read concurrently.
	runRequests = 8
)

// attribute records which variables, locals and cluster blocks caused the changed
// fields. The record of a run contains the values that these inputs had when the
// job was submitted. One or two inputs caused a changed field if two conditions
// hold. First, the values of these inputs differ from the recorded values.
// Second, the field does not change if the job is resolved with the recorded
// values. attribute does not record causes if the run record cannot be read, or
// if the job was changed in place.
func (o *Operation) attribute(ctx context.Context, r Request, p *Plan) {
	changes := p.comparedChanges()
	if r.Earlier == nil || len(changes) < 2 { // a single change does not form a group
		return
	}
	runs := p.appliedRuns(ctx, changes)
	earlier := earlierJobs{resolve: r.Earlier, known: map[string]map[hclspec.Address]*resolve.Job{}}
	for _, sets := range []func(changed) [][]assignment{changed.singles, changed.pairs, changed.computed} {
		for i, c := range changes {
			for _, set := range sets(changedInputs(runs[i], r.Workspace)) {
				if c.CausedByInputs() {
					break
				}
				if job := earlier.with(set)[c.Address]; job != nil {
					c.AttributeTo(assigned(set), job, p.compared(c))
				}
			}
		}
	}
}

// comparedChanges returns the changes to existing jobs that have changed
// fields.
func (p *Plan) comparedChanges() []*planner.Change {
	return slices.DeleteFunc(slices.Clone(p.Changes), func(c *planner.Change) bool {
		return len(c.Fields) == 0 || p.compared(c) == nil
	})
}

// compared returns the live job that a change compares with the declared job,
// or nil.
func (p *Plan) compared(c *planner.Change) *planner.LiveJob {
	if p.Live[c.Cluster] == nil {
		return nil
	}
	return p.Live[c.Cluster].Job(cmp.Or(c.Replaced, c.Framework))
}

// appliedRuns reads the run records of the live jobs that changes affect. The result
// contains nil for an unreadable record or a record that differs from the applied
// job.
func (p *Plan) appliedRuns(ctx context.Context, changes []*planner.Change) []*history.Run {
	return readRuns(changes, func(c *planner.Change) *history.Run {
		store, ok := p.Clusters[c.Cluster].(cluster.RunStore)
		live := p.compared(c)
		if !ok || live.Run == 0 {
			return nil
		}
		key := history.Key{Framework: live.Framework, Number: live.Run, Short: history.ShortUID(live.UID)}
		r, err := store.Run(ctx, live.Workspace, key)
		if err != nil || r.UID != live.UID || r.Hash != live.Hash {
			return nil
		}
		return r
	})
}

// readRuns calls read for each element, at most runRequests calls at a time, and returns
// the results in the same order.
func readRuns[T any](of []T, read func(T) *history.Run) []*history.Run {
	runs := make([]*history.Run, len(of))
	slots := make(chan struct{}, runRequests)
	var reading sync.WaitGroup
	for i, element := range of {
		slots <- struct{}{}
		reading.Go(func() {
			defer func() { <-slots }()
			runs[i] = read(element)
		})
	}
	reading.Wait()
	return runs
}

// assignment is the recorded value of a variable or local, or the recorded defaults
// of a cluster block. value is canonical JSON. kind is the first part of the
// address: var, local or cluster.
type assignment struct{ kind, name, value string }

func (a assignment) address() hclspec.Address { return hclspec.NewAddress(a.kind, a.name) }

// changed holds the recorded values of the inputs whose current value is different.
// locals contains the changed locals whose expressions refer to a changed input.
// roots contains the other inputs.
type changed struct{ roots, locals []assignment }

func changedInputs(r *history.Run, now *hclspec.Workspace) changed {
	var all changed
	if r == nil {
		return all
	}
	known := map[hclspec.Address]bool{}
	add := func(to *[]assignment, kind, name, value string, was json.RawMessage) {
		a := assignment{kind, name, canonical(was)}
		if value != "" && a.value != "" && a.value != canonical([]byte(value)) {
			known[a.address()] = true
			*to = append(*to, a)
		}
	}
	for _, v := range now.Variables {
		add(&all.roots, "var", v.Name, v.Value, recordedValue(r.Variables, v.Name))
	}
	var locals []assignment
	references := map[string][]hclspec.Address{}
	for _, l := range now.Locals {
		references[l.Name] = l.References
		add(&locals, "local", l.Name, l.Value, recordedValue(r.Locals, l.Name))
	}
	for _, l := range locals {
		to := &all.roots
		if slices.ContainsFunc(references[l.name], func(a hclspec.Address) bool { return known[a] }) {
			to = &all.locals
		}
		*to = append(*to, l)
	}
	if c := now.Cluster(r.Cluster); c != nil {
		add(&all.roots, "cluster", c.Name, string(c.Defaults()), r.ClusterDefaults)
	}
	return all
}

// recordedValue returns a recorded value or nil. For example, the values of sensitive
// variables are not recorded.
func recordedValue(all []history.Variable, name string) json.RawMessage {
	for _, v := range all {
		if v.Name == name {
			return v.Value
		}
	}
	return nil
}

// canonical returns the canonical form of JSON text, which is identical for
// equal values. It returns "" for text that is not JSON.
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

func assigned(set []assignment) []hclspec.Address {
	all := make([]hclspec.Address, len(set))
	for i, a := range set {
		all[i] = a.address()
	}
	return all
}

// singles returns one set for each root.
func (c changed) singles() [][]assignment { return singles(c.roots) }

// pairs returns one set for each pair of roots.
func (c changed) pairs() [][]assignment {
	var sets [][]assignment
	for i, a := range c.roots {
		for _, b := range c.roots[i+1:] {
			sets = append(sets, []assignment{a, b})
		}
	}
	return sets
}

// computed returns one set for each changed local that refers to a changed
// input. Either the expression of the local also changed, or more than two
// inputs changed the value.
func (c changed) computed() [][]assignment { return singles(c.locals) }

func singles(all []assignment) [][]assignment {
	sets := make([][]assignment, len(all))
	for i, a := range all {
		sets[i] = []assignment{a}
	}
	return sets
}

// earlierJobs resolves the jobs with sets of earlier values, and caches the results.
type earlierJobs struct {
	resolve Earlier
	known   map[string]map[hclspec.Address]*resolve.Job
}

// with returns the jobs for a set of earlier values. It returns nil for
// invalid values, and for every new set after maxEarlier sets.
func (e *earlierJobs) with(set []assignment) map[hclspec.Address]*resolve.Job {
	key := fmt.Sprintf("%q", set)
	if jobs, known := e.known[key]; known || len(e.known) == maxEarlier {
		return jobs
	}
	e.known[key] = nil
	if jobs, ok := e.resolve(earlierInputs(set)); ok {
		e.known[key] = map[hclspec.Address]*resolve.Job{}
		for _, job := range jobs {
			e.known[key][job.Address] = job
		}
	}
	return e.known[key]
}

// earlierInputs groups the values of a set by kind and name.
func earlierInputs(set []assignment) hclspec.Inputs {
	byKind := map[string]map[string]json.RawMessage{"var": {}, "local": {}, "cluster": {}}
	for _, a := range set {
		byKind[a.kind][a.name] = json.RawMessage(a.value)
	}
	return hclspec.Inputs{Variables: byKind["var"], Locals: byKind["local"], Clusters: byKind["cluster"]}
}
