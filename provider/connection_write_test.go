package provider

import (
	"context"
	"errors"
	"strconv"
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

// Terraform asks one server for many resources at once.
func TestJobsAreAppliedSideBySide(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	t.Run("all", func(t *testing.T) {
		for n := range 8 {
			t.Run(strconv.Itoa(n), func(t *testing.T) {
				t.Parallel()
				own := *tf
				own.t = t
				i := own.resource("openpai_job")
				config := job([]string{"true"}, tree{"name": "side-" + strconv.Itoa(n), "wait_for": "completed"})
				i.mustApply(config, "create")
				if text := i.refresh(); text != "" {
					t.Error(text)
				}
				if p := i.plan(config); p.action(i.state) != "none" {
					t.Errorf("%s\n%s", p.action(i.state), diff(i.state, p.state))
				}
			})
		}
	})
	if jobs := outputs(tf.read("openpai_jobs", tree{"states": []string{"SUCCEEDED"}}))["jobs"].([]any); len(jobs) != 8 {
		t.Errorf("%d jobs", len(jobs))
	}
}
