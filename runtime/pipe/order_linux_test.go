// SPDX-License-Identifier: MPL-2.0

package pipe

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// record is a list of received data. Several sinks share it.
type record struct {
	mu  sync.Mutex
	all []string
}

// sink adds its name and the data that it receives to a record.
type sink struct {
	name string
	*record
}

func (s sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, s.name+" "+string(p))
	return len(p), nil
}

func (s sink) Flush() error {
	_, err := s.Write([]byte("flushed"))
	return err
}

func newOrdered(t *testing.T) (*record, []*Source, []*os.File) {
	t.Helper()
	r := &record{}
	sources, writers, err := NewOrdered(sink{"a", r}, sink{"b", r})
	if err != nil {
		t.Fatal(err)
	}
	return r, sources, writers
}

// TestDataArrivesInTheOrderOfWrites checks the order of data that is written
// alternately to two pipes. Some writes happen before the reader runs, others
// while it runs.
func TestDataArrivesInTheOrderOfWrites(t *testing.T) {
	t.Parallel()
	r, sources, writers := newOrdered(t)
	var want []string
	for n := range 500 {
		order := []int{0, 1}
		if n%3 == 0 {
			order = []int{1, 0}
		}
		for _, i := range order {
			fmt.Fprint(writers[i], n)
			want = append(want, fmt.Sprint(string("ab"[i]), " ", n))
		}
		sources[n%2].Sync()
		want = append(want, string("ab"[n%2])+" flushed")
	}
	for i, w := range writers {
		_ = w.Close()
		if !sources[i].WaitEOF(time.Minute) {
			t.Fatal("no end of the pipe")
		}
		want = append(want, string("ab"[i])+" flushed")
		sources[i].Close()
	}
	if diff := cmp.Diff(want, r.all); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestCloseCopiesTheRest calls Close while a program still has the pipe open.
func TestCloseCopiesTheRest(t *testing.T) {
	t.Parallel()
	r, sources, writers := newOrdered(t)
	fmt.Fprint(writers[1], "last")
	sources[1].Close()
	sources[0].Close()
	sources[0].Close()
	if want := []string{"b last", "b flushed", "b flushed", "a flushed", "a flushed"}; !cmp.Equal(want, r.all) {
		t.Errorf("received %q", r.all)
	}
	for _, w := range writers {
		if _, err := fmt.Fprint(w, "x"); err == nil {
			t.Error("the pipe is still open")
		}
		_ = w.Close()
	}
}

// TestAnEndlessWriterBlocksNoOtherPipe writes to one pipe without a pause. The
// reader must still read the other pipe.
func TestAnEndlessWriterBlocksNoOtherPipe(t *testing.T) {
	t.Parallel()
	r, sources, writers := newOrdered(t)
	var filling sync.WaitGroup
	filling.Go(func() {
		block := []byte(strings.Repeat("x", 64<<10))
		for {
			if _, err := writers[0].Write(block); err != nil {
				return
			}
		}
	})
	fmt.Fprint(writers[1], "heard")
	sources[1].Sync()
	r.mu.Lock()
	heard := len(r.all) > 0 && strings.Contains(strings.Join(r.all, "\n"), "b heard")
	r.mu.Unlock()
	if !heard {
		t.Error("the other pipe was not read")
	}
	for i := range sources {
		sources[i].Close()
		defer writers[i].Close()
	}
	filling.Wait()
}
