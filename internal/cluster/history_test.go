// SPDX-License-Identifier: MPL-2.0

package cluster_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
)

// documents is an in-memory RunStore. busy is the number of SaveCounters calls that
// fail with ErrCountersChanged.
type documents struct {
	counters history.Counters
	revision int
	busy     int
	runs     map[history.Key][]byte
}

var _ cluster.RunStore = (*documents)(nil)

func newDocuments() *documents { return &documents{runs: map[history.Key][]byte{}} }

func (d *documents) Counters(context.Context, string) (*history.Counters, error) {
	return &history.Counters{Last: maps.Clone(d.counters.Last), Revision: strconv.Itoa(d.revision)}, nil
}

func (d *documents) SaveCounters(_ context.Context, _ string, c *history.Counters) error {
	if d.busy > 0 {
		d.busy--
		d.revision++
		d.counters.Next("job.other", 0)
	}
	if c.Revision != strconv.Itoa(d.revision) {
		return cluster.ErrCountersChanged
	}
	d.counters, d.revision = *c, d.revision+1
	return nil
}

func (d *documents) RunSizes(context.Context, string) ([]history.Size, error) {
	var all []history.Size
	for k, text := range d.runs {
		all = append(all, history.Size{Key: k, Bytes: int64(len(text)), Order: int64(k.Number)})
	}
	return all, nil
}

func (d *documents) sizes(t *testing.T) []history.Size {
	t.Helper()
	all, err := d.RunSizes(t.Context(), "ws")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func (d *documents) Run(_ context.Context, _ string, k history.Key) (*history.Run, error) {
	if d.runs[k] == nil {
		return nil, cluster.ErrNotFound
	}
	return history.Decode(k.String(), d.runs[k])
}

func (d *documents) Runs(ctx context.Context, workspace string) ([]*history.Run, error) {
	var all []*history.Run
	var errs []error
	for k := range d.runs {
		r, err := d.Run(ctx, workspace, k)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, r)
	}
	return all, errors.Join(errs...)
}

func (d *documents) SaveRun(_ context.Context, r *history.Run) error {
	d.runs[r.Key()] = r.Encode()
	return nil
}

func (d *documents) RemoveRun(_ context.Context, _ string, k history.Key, logsOnly bool) error {
	if !logsOnly {
		delete(d.runs, k)
	}
	return nil
}

func (d *documents) RunLog(context.Context, *history.Run, history.Log, io.Writer) error { return nil }

func (d *documents) RunLimits() history.Limits { return history.Limits{Runs: 2} }

// add submits a job and returns the run number.
func (d *documents) add(t *testing.T, address hclspec.Address, framework string) int {
	t.Helper()
	kept := d.sizes(t)
	numbers, err := cluster.NumberRuns(t.Context(), d, "ws", kept, []cluster.Numbering{{Address: address, Framework: framework}})
	if err != nil {
		t.Fatal(err)
	}
	n := numbers[address]
	_ = d.SaveRun(t.Context(), &history.Run{Number: n, UID: "0000000" + strconv.Itoa(n), Address: address, Framework: framework, Workspace: "ws"})
	return n
}

func (d *documents) names(t *testing.T) []string {
	t.Helper()
	runs, err := d.Runs(t.Context(), "ws")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, r := range runs {
		all = append(all, r.Reference())
	}
	slices.Sort(all)
	return all
}

func TestNumbersAreNeverUsedAgain(t *testing.T) {
	d := newDocuments()
	var numbers []int
	for range 3 {
		numbers = append(numbers, d.add(t, "job.a", "f"))
	}
	clear(d.runs) // rm and gc remove documents, but not counters
	numbers = append(numbers, d.add(t, "job.a", "f"), d.add(t, "job.b", "g"))
	// job.c has the Framework name of job.a. It must not reuse the run
	// numbers of job.a, because the documents of both jobs would collide.
	numbers = append(numbers, d.add(t, "job.c", "f"))
	if diff := cmp.Diff([]int{1, 2, 3, 4, 1, 5}, numbers); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestCountersThatOthersChangeAreReadAgain(t *testing.T) {
	d := newDocuments()
	d.busy = 3
	if n := d.add(t, "job.a", "f"); n != 1 || d.counters.Last["job.other"] != 3 {
		t.Errorf("number %d, counters %v", n, d.counters.Last)
	}
	d.busy = 100
	_, err := cluster.NumberRuns(t.Context(), d, "ws", nil, []cluster.Numbering{{Address: "job.a"}})
	if !errors.Is(err, cluster.ErrCountersChanged) {
		t.Errorf("error %v", err)
	}
}

func TestAMovedJobTakesCounterAndRunsAlong(t *testing.T) {
	d := newDocuments()
	d.add(t, "job.a", "f")
	d.add(t, "job.a", "f")
	d.add(t, "job.b", "g")
	moved := map[hclspec.Address]hclspec.Address{"job.a": "job.z", "job.none": "job.y"}
	for range 2 { // a completed move is not repeated
		if err := cluster.MoveRuns(t.Context(), d, "ws", moved); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"job.b@1", "job.z@1", "job.z@2"}, d.names(t)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if n := d.add(t, "job.z", "f"); n != 3 {
		t.Errorf("the next number is %d, want 3", n)
	}
}

func TestForgettingRemovesRunsAndCounters(t *testing.T) {
	d := newDocuments()
	d.add(t, "job.a", "f")
	d.add(t, "job.b", "g")
	if err := cluster.ForgetRuns(t.Context(), d, "ws", []hclspec.Address{"job.a"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"job.b@1"}, d.names(t)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	d.runs[history.Key{Framework: "x", Number: 1}] = []byte("damaged")
	if err := cluster.ForgetRuns(t.Context(), d, "ws", nil); err != nil || len(d.runs) > 0 || len(d.counters.Last) > 0 {
		t.Errorf("remaining runs %v and counters %v, error %v", d.runs, d.counters.Last, err)
	}
}

func TestForgettingOthersKeepsAnAddress(t *testing.T) {
	for name, others := range map[string][]hclspec.Address{"one address": nil, "two other addresses": {"job.b", "job.c"}} {
		d := newDocuments()
		d.add(t, "job.a", "f")
		for _, a := range others {
			d.add(t, a, a.String())
		}
		if err := cluster.ForgetOthers(t.Context(), d, "ws", []hclspec.Address{"job.a"}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"job.a@1"}, d.names(t)); diff != "" || len(d.counters.Last) != 1 {
			t.Errorf("%s: counters %v, runs (-want +got)\n%s", name, d.counters.Last, diff)
		}
	}
}

func TestPruningKeepsTheLatest(t *testing.T) {
	d := newDocuments()
	for range 4 {
		d.add(t, "job.a", "f")
	}
	before := bytes.Join(slices.Collect(maps.Values(d.runs)), nil)
	runs, _, err := cluster.PruneRuns(t.Context(), d, "ws", d.sizes(t), d.RunLimits(), true)
	if err != nil || len(runs) != 2 || len(bytes.Join(slices.Collect(maps.Values(d.runs)), nil)) != len(before) {
		t.Errorf("a dry run returns %v, want 2 runs and unchanged documents; error %v", runs, err)
	}
	if _, _, err := cluster.PruneRuns(t.Context(), d, "ws", d.sizes(t), d.RunLimits(), false); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"job.a@3", "job.a@4"}, d.names(t)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// The runs of a moved job belong to two Frameworks. The latest run of the first
// Framework is not the latest run of the job.
func TestPruningCountsTheRunsOfAMovedJob(t *testing.T) {
	d := newDocuments()
	for range 2 {
		d.add(t, "job.a", "f")
	}
	if err := cluster.MoveRuns(t.Context(), d, "ws", map[hclspec.Address]hclspec.Address{"job.a": "job.b"}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		d.add(t, "job.b", "g")
	}
	d.add(t, "job.c", "h")
	if _, _, err := cluster.PruneRuns(t.Context(), d, "ws", d.sizes(t), d.RunLimits(), false); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"job.b@3", "job.b@4", "job.c@1"}, d.names(t)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
