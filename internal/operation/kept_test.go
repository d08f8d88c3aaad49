// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
)

// listed is a cluster that lists runs, and counts the lists.
type listed struct {
	cluster.RunStore
	sizes []history.Size
	times int
	fail  error
}

func (l *listed) RunSizes(context.Context, string) ([]history.Size, error) {
	l.times++
	return l.sizes, l.fail
}

func always([]history.Size) bool { return true }

func sizeOf(address hclspec.Address, framework string, number int) history.Size {
	return history.Size{Key: history.Key{Framework: framework, Number: number}, Address: address}
}

// TestTheHistoryIsListedOnceForEachConnection: runs that this process writes and
// removes are updated in the cached list.
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
	if diff := cmp.Diff(want, list(always)); diff != "" {
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

// TestEachSubmissionPrunesWhereRunsAreCounted: a size limit may be exceeded until
// the next command, a limit on the number of runs may not.
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
