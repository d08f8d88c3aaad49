// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestMovesAreFollowed(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		moved    []*hclspec.Moved
		declared []*hclspec.Job
		want     map[hclspec.Address]hclspec.Address
	}{
		"a job that moved twice":      {moved: []*hclspec.Moved{{From: "job.a", To: "job.b"}, {From: "job.b", To: "job.c"}}, want: map[hclspec.Address]hclspec.Address{"job.a": "job.c", "job.b": "job.c"}},
		"a job that is declared":      {moved: []*hclspec.Moved{{From: "job.a", To: "job.b"}}, declared: []*hclspec.Job{{Label: "a"}}, want: map[hclspec.Address]hclspec.Address{}},
		"a move that ends in a cycle": {moved: []*hclspec.Moved{{From: "job.x", To: "job.a"}, {From: "job.a", To: "job.b"}, {From: "job.b", To: "job.a"}}, want: map[hclspec.Address]hclspec.Address{}},
	}
	for name, test := range tests {
		o := New(Options{Workspace: &hclspec.Workspace{Moved: test.moved, Jobs: test.declared}})
		if diff := cmp.Diff(test.want, o.moved()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

const movedUID = "0123abcd-0000-4000-8000-000000000000"

func movedRun(a hclspec.Address, number int, o *history.Outcome) *history.Run {
	return &history.Run{Version: history.Version, Address: a, Number: number, UID: movedUID, Workspace: "ws", Framework: "f", Outcome: o}
}

// TestAnInterruptedMoveOfRecordsIsRepeated checks that a repeated move keeps the
// outcome of a run. The old record, the new record or both contain the outcome.
func TestAnInterruptedMoveOfRecordsIsRepeated(t *testing.T) {
	t.Parallel()
	ended := &history.Outcome{State: planner.StateSucceeded, Seen: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	d := recordDirectory{t.TempDir(), "runs"}
	for _, r := range []*history.Run{movedRun("job.a", 1, ended), movedRun("job.a", 2, nil), movedRun("job.b", 2, ended), movedRun("job.a", 3, ended), movedRun("job.b", 3, nil)} {
		if err := d.write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(d.root, d.name, "job.a", "4-0123abcd.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := New(Options{Workspace: &hclspec.Workspace{Dir: d.root, RunRecords: d.name, Moved: []*hclspec.Moved{{From: "job.a", To: "job.b"}}}})
	for range 2 {
		if n := o.recorded("job.b"); n != 4 {
			t.Errorf("the highest number is %d, want 4", n)
		}
		if err := d.move(o.moved()); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"4-0123abcd.json"}, d.list("job.a")); diff != "" {
		t.Errorf("records of the old address (-want +got)\n%s", diff)
	}
	var got []*history.Run
	for _, name := range d.list("job.b") {
		r, err := d.read("job.b", name)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r)
	}
	want := []*history.Run{movedRun("job.b", 1, ended), movedRun("job.b", 2, ended), movedRun("job.b", 3, ended)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records of the new address (-want +got)\n%s", diff)
	}
}

func TestARunIsListedOnce(t *testing.T) {
	t.Parallel()
	published := []*history.Run{movedRun("job.a", 1, nil), movedRun("job.b", 1, nil)}
	if got := notIn(nil, published); len(got) != 1 {
		t.Errorf("%d runs for one UID, want 1", len(got))
	}
	if got := notIn([]RecordedRun{{Run: movedRun("job.b", 1, nil)}}, published); len(got) != 0 {
		t.Errorf("%d runs that the history contains, want none", len(got))
	}
}
