// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
)

// listed is a cluster that counts list requests and records removed runs.
type listed struct {
	cluster.RunStore
	sizes   []history.Size
	times   int
	removed []history.Key
	fail    error
}

func (l *listed) RemoveRun(_ context.Context, _ string, k history.Key, _ bool) error {
	l.removed = append(l.removed, k)
	return l.fail
}

func (l *listed) RunSizes(context.Context, string) ([]history.Size, error) {
	l.times++
	return l.sizes, l.fail
}

func always([]history.Size) bool { return true }

func sizeOf(address hclspec.Address, framework string, number int) history.Size {
	return history.Size{Key: history.Key{Framework: framework, Number: number}, Address: address}
}

// TestTheHistoryIsListedOnceForEachConnection checks that the cached list
// reflects the writes and removals by this process.
func TestTheHistoryIsListedOnceForEachConnection(t *testing.T) {
	l := &listed{sizes: []history.Size{sizeOf("job.a", "fa", 1)}}
	var k keptRuns
	list := func(serves func([]history.Size) bool) []history.Size {
		t.Helper()
		all, err := k.list(t.Context(), "c", l, "ws", serves)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	before := list(always)
	k.add("c", &history.Run{Address: "job.b", Framework: "fb", Number: 1})
	k.add("c", &history.Run{Address: "job.b", Framework: "fb", Number: 2})
	k.add("elsewhere", &history.Run{Address: "job.c", Framework: "fc", Number: 1})
	want := []history.Size{sizeOf("job.a", "fa", 1), sizeOf("job.b", "fb", 1), sizeOf("job.b", "fb", 2)}
	want[1].Order, want[2].Order = math.MaxInt64, math.MaxInt64
	estimated := cmpopts.IgnoreFields(history.Size{}, "Bytes")
	if diff := cmp.Diff(want, list(always), estimated); diff != "" {
		t.Errorf("after two runs (-want +got):\n%s", diff)
	}
	k.drop("c", "fb")
	if diff := cmp.Diff(want[:1], list(always)); diff != "" {
		t.Errorf("without the runs of a Framework (-want +got):\n%s", diff)
	}
	if len(before) != 1 || l.times != 1 {
		t.Errorf("a returned list has %d documents, %d requests, want 1 and 1", len(before), l.times)
	}

	list(func([]history.Size) bool { return false })
	if l.times != 2 {
		t.Errorf("%d requests for a list that does not serve, want 2", l.times)
	}
	l.fail = errors.New("out of reach")
	if _, err := k.list(t.Context(), "another", l, "ws", always); !errors.Is(err, l.fail) {
		t.Errorf("error %v, want the error of the cluster", err)
	}
}

// TestPruningUsesTheCachedList checks that pruning does not list the runs again.
// Pruning must treat runs from this process as newer than the listed runs.
func TestPruningUsesTheCachedList(t *testing.T) {
	l := &listed{sizes: []history.Size{sizeOf("job.a", "fa", 1), sizeOf("job.a", "fa", 2), sizeOf("job.b", "fb", 1)}}
	for i := range l.sizes {
		l.sizes[i].Order = int64(i + 1)
	}
	var k keptRuns
	list := func() []history.Size {
		t.Helper()
		all, err := k.list(t.Context(), "c", l, "ws", always)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	list()
	for number := 3; number <= 4; number++ {
		k.add("c", &history.Run{Address: "job.a", Framework: "fa", Number: number})
		if err := k.prune(t.Context(), "c", l, "ws", history.Limits{Runs: 2}); err != nil {
			t.Fatal(err)
		}
	}
	want := []history.Key{{Framework: "fa", Number: 1}, {Framework: "fa", Number: 2}}
	if diff := cmp.Diff(want, l.removed); diff != "" {
		t.Errorf("removed runs (-want +got):\n%s", diff)
	}
	if left := list(); len(left) != 3 || l.times != 1 {
		t.Errorf("%d runs left after %d lists, want 3 and 1", len(left), l.times)
	}

	l.fail = errors.New("out of reach")
	if err := k.prune(t.Context(), "c", l, "ws", history.Limits{Runs: 1}); !errors.Is(err, l.fail) {
		t.Errorf("error %v, want the error of the cluster", err)
	}
	l.fail = nil
	if list(); l.times != 2 {
		t.Errorf("%d lists after a failed removal, want 2", l.times)
	}
}

// TestPruningReadsSizesNearTheLimit checks that an estimated size alone does not cause
// the removal of runs.
func TestPruningReadsSizesNearTheLimit(t *testing.T) {
	l := &listed{sizes: []history.Size{sizeOf("job.a", "fa", 1), sizeOf("job.a", "fa", 2)}}
	l.sizes[0].Bytes, l.sizes[1].Bytes = 600, 100
	var k keptRuns
	if _, err := k.list(t.Context(), "c", l, "ws", always); err != nil {
		t.Fatal(err)
	}
	k.add("c", &history.Run{Address: "job.a", Framework: "fa", Number: 3, Workspace: strings.Repeat("x", 400)})
	added := sizeOf("job.a", "fa", 3)
	for _, c := range []struct {
		limit, bytes int64
		times        int
		removed      []history.Key
	}{
		{1 << 20, 350, 1, nil},
		{1000, 250, 2, nil},
		{1000, 350, 2, nil}, // sizes that were read are not read again
		{900, 350, 2, []history.Key{{Framework: "fa", Number: 1}}},
	} {
		added.Bytes = c.bytes
		l.sizes = append(l.sizes[:2:2], added)
		if err := k.prune(t.Context(), "c", l, "ws", history.Limits{Bytes: c.limit}); err != nil {
			t.Fatal(err)
		}
		if !cmp.Equal(c.removed, l.removed) || l.times != c.times {
			t.Errorf("a limit of %d: removed %v after %d lists, want %v after %d", c.limit, l.removed, l.times, c.removed, c.times)
		}
	}
}

// TestEachSubmissionPrunesWhereRunsAreCounted checks that each submission applies a
// limit on the number of runs. Runs may exceed a size limit until the next command.
func TestEachSubmissionPrunesWhereRunsAreCounted(t *testing.T) {
	tests := map[string]struct {
		limits history.Limits
		want   []bool // for each of three submissions
	}{
		"bytes of the workspace":    {history.Limits{Bytes: 1}, []bool{true, false, false}},
		"number of runs of one job": {history.Limits{Runs: 1}, []bool{true, true, true}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var k keptRuns
			var got []bool
			for range tt.want {
				got = append(got, k.prunes("c", tt.limits))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !k.prunes("another", tt.limits) {
				t.Error("the first submission to another cluster removes nothing")
			}
		})
	}
}
