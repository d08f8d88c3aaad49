// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"
	"maps"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
)

// numbers is a fake cluster that implements only the counters. It counts the
// reads and writes of the counters.
type numbers struct {
	cluster.RunStore
	mu            sync.Mutex
	last          map[hclspec.Address]int
	revision      int
	reads, writes int
	// If busy is not nil, each write sends on entered and then blocks until it
	// receives from busy.
	busy, entered chan struct{}
	fail          error
}

func (n *numbers) Counters(context.Context, string) (*history.Counters, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.reads++
	return &history.Counters{Last: maps.Clone(n.last), Revision: strconv.Itoa(n.revision)}, nil
}

func (n *numbers) SaveCounters(_ context.Context, _ string, c *history.Counters) error {
	if n.busy != nil {
		select {
		case n.entered <- struct{}{}:
		default:
		}
		<-n.busy
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.writes++
	if err := n.fail; err != nil {
		n.fail = nil
		return err
	}
	if c.Revision != strconv.Itoa(n.revision) {
		return cluster.ErrCountersChanged
	}
	n.revision++
	n.last, c.Revision = maps.Clone(c.Last), strconv.Itoa(n.revision)
	return nil
}

func next(t *testing.T, s cluster.RunStore, address hclspec.Address) int {
	t.Helper()
	got, err := cluster.NumberRuns(t.Context(), s, "ws", nil, []cluster.Numbering{{Address: address}})
	if err != nil {
		t.Fatal(err)
	}
	return got[address]
}

// TestCountersAreReadOnce checks that counters are read again only after another
// process has written them.
func TestCountersAreReadOnce(t *testing.T) {
	n := &numbers{}
	s := New(Options{}).history("c", "ws", n)
	if got := []int{next(t, s, "job.a"), next(t, s, "job.a"), next(t, s, "job.b")}; !cmp.Equal(got, []int{1, 2, 1}) {
		t.Errorf("numbers %v", got)
	}
	if n.reads != 1 || n.writes != 3 {
		t.Errorf("%d reads, %d writes, want 1 and 3", n.reads, n.writes)
	}

	n.last["job.a"], n.revision = 7, n.revision+1 // write of another process
	if got := next(t, s, "job.a"); got != 8 {
		t.Errorf("number %d, want 8", got)
	}
	if n.reads != 2 {
		t.Errorf("%d reads, want 2", n.reads)
	}
}

// TestForgetReadsCountersOfOtherProcesses checks that a counter is removed
// even if another process added it after the counters were cached.
func TestForgetReadsCountersOfOtherProcesses(t *testing.T) {
	n := &numbers{}
	s := New(Options{}).history("c", "ws", n)
	next(t, s, "job.a")
	n.last["job.b"], n.revision = 3, n.revision+1
	if err := cluster.ForgetListed(t.Context(), s, "ws", nil, []hclspec.Address{"job.b"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[hclspec.Address]int{"job.a": 1}, n.last); diff != "" {
		t.Errorf("counters (-want +got):\n%s", diff)
	}
}

// held requests run numbers for several jobs. The first write to the cluster blocks
// until all other requests wait. held returns the number of failed requests.
func held(t *testing.T, jobs int, fail error) (n *numbers, failed int) {
	t.Helper()
	n = &numbers{busy: make(chan struct{}), entered: make(chan struct{}, 1), fail: fail}
	h := New(Options{}).history("c", "ws", n).(*historyOf)
	errs := make(chan error, jobs)
	var all sync.WaitGroup
	begin := func(i int) {
		all.Go(func() {
			_, err := cluster.NumberRuns(t.Context(), h, "ws", nil, []cluster.Numbering{{Address: hclspec.NewAddress("job", strconv.Itoa(i))}})
			if err != nil {
				errs <- err
			}
		})
	}
	begin(0)
	<-n.entered
	for i := range jobs - 1 {
		begin(i + 1)
	}
	for h.gathered() < jobs-1 {
		runtime.Gosched()
	}
	close(n.busy)
	all.Wait()
	return n, len(errs)
}

func (h *historyOf) gathered() int {
	h.queue.Lock()
	defer h.queue.Unlock()
	return len(h.waiting)
}

// TestEditsThatWaitAreWrittenTogether checks that edits that arrive during a write
// are written together.
func TestEditsThatWaitAreWrittenTogether(t *testing.T) {
	n, failed := held(t, 10, nil)
	if n.writes != 2 || n.reads != 1 || len(n.last) != 10 || failed > 0 {
		t.Errorf("%d writes and %d reads of %d counters, %d failed, want 2, 1, 10 and 0", n.writes, n.reads, len(n.last), failed)
	}
}

// TestAFailedEditFailsOnlyItsCaller checks that a failed edit does not prevent the
// edits of other callers from being written.
func TestAFailedEditFailsOnlyItsCaller(t *testing.T) {
	n, failed := held(t, 3, errors.New("out of reach"))
	if failed != 1 || len(n.last) != 2 {
		t.Errorf("%d edits failed, %d counters, want 1 and 2", failed, len(n.last))
	}
}
