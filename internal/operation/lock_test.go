// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

// lockable is a cluster that records the use of its lock.
type lockable struct {
	cluster.Cluster
	name  string
	fails bool
	notes *[]string
}

func (l *lockable) Lock(context.Context) (func(), error) {
	if l.fails {
		return nil, errors.New("somebody has it")
	}
	*l.notes = append(*l.notes, "lock "+l.name)
	return func() { *l.notes = append(*l.notes, "unlock "+l.name) }, nil
}

// TestClustersAreLockedInOneOrder checks that two commands do not deadlock
// when they lock the same clusters.
func TestClustersAreLockedInOneOrder(t *testing.T) {
	for range 20 {
		var notes []string
		clusters := map[string]cluster.Cluster{}
		for _, name := range []string{"d", "b", "c", "a"} {
			clusters[name] = &lockable{name: name, fails: name == "d", notes: &notes}
		}
		_, err := operation.New(operation.Options{}).Lock(t.Context(), clusters)
		if err == nil || !strings.Contains(err.Error(), "cluster d: somebody has it") {
			t.Fatalf("error %v, want an error with the cluster", err)
		}
		if diff := cmp.Diff([]string{"lock a", "lock b", "lock c", "unlock a", "unlock b", "unlock c"}, notes); diff != "" {
			t.Fatalf("locks (-want +got):\n%s", diff)
		}
	}
}

// counted is a cluster that permits one writer at a time. It counts the
// writers.
type counted struct {
	cluster.Cluster
	held, times int
}

var errHeld = errors.New("another process writes")

func (g *counted) Lock(context.Context) (func(), error) {
	if g.held > 0 {
		return nil, errHeld
	}
	g.held++
	g.times++
	return func() { g.held-- }, nil
}

func TestTheWritersOfAProcessShareOneLock(t *testing.T) {
	t.Parallel()
	g := &counted{}
	o, clusters := operation.New(operation.Options{}), map[string]cluster.Cluster{"local": g}
	first, err := o.Lock(t.Context(), clusters)
	if err != nil {
		t.Fatal(err)
	}
	second, err := o.Lock(t.Context(), clusters)
	if err != nil {
		t.Fatalf("a second resource waits for the first: %v", err)
	}
	first()
	if _, err := operation.New(operation.Options{}).Lock(t.Context(), clusters); !errors.Is(err, errHeld) {
		t.Errorf("another process writes at the same time as the second resource: %v", err)
	}
	second()
	third, err := o.Lock(t.Context(), clusters)
	if err != nil || g.times != 2 {
		t.Fatalf("locked %d times: %v", g.times, err)
	}
	third()
	if g.held != 0 {
		t.Error("it is never released")
	}
}

// busy is a cluster whose lock another process holds during the first tries.
type busy struct {
	cluster.Cluster
	tries int
}

func (b *busy) Lock(context.Context) (func(), error) {
	if b.tries--; b.tries >= 0 {
		return nil, fmt.Errorf("process 7: %w", cluster.ErrLocked)
	}
	return func() {}, nil
}

func TestALockOfAnotherProcessIsWaitedFor(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		patience time.Duration
		tries    int
		fails    bool
	}{
		"with patience":    {time.Hour, 3, false},
		"without patience": {0, 1, true},
		"with a wait that is shorter than the other process needs": {time.Nanosecond, 1 << 30, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := operation.New(operation.Options{Patience: tt.patience})
			unlock, err := o.Lock(t.Context(), map[string]cluster.Cluster{"local": &busy{tries: tt.tries}})
			if errors.Is(err, cluster.ErrLocked) != tt.fails || (err != nil) != tt.fails {
				t.Fatal(err)
			}
			if err == nil {
				unlock()
			}
		})
	}
}
