package provider

import (
	"context"
	"errors"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// guarded is a cluster that lets one process write, and counts.
type guarded struct {
	cluster.Cluster
	held, times int
}

var errHeld = errors.New("another process writes")

func (g *guarded) Lock(context.Context) (func(), error) {
	if g.held > 0 {
		return nil, errHeld
	}
	g.held++
	g.times++
	return func() { g.held-- }, nil
}

func TestTheWritersOfAProcessShareOneLock(t *testing.T) {
	t.Parallel()
	g := &guarded{}
	c := newConnection(&settings{}, nil)
	first, err := c.lock(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	second, err := c.lock(t.Context(), g)
	if err != nil {
		t.Fatalf("a second resource waits for the first: %v", err)
	}
	first()
	if _, err := newConnection(&settings{}, nil).lock(t.Context(), g); !errors.Is(err, errHeld) {
		t.Errorf("another process writes beside the second resource: %v", err)
	}
	second()
	third, err := c.lock(t.Context(), g)
	if err != nil || g.times != 2 {
		t.Fatalf("locked %d times: %v", g.times, err)
	}
	third()
	if g.held != 0 {
		t.Error("it is never released")
	}
}
