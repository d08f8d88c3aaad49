package cli

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// lockable is a cluster that notes what becomes of its lock.
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

// TestClustersAreLockedInOneOrder: two commands that lock the same ones never
// wait for each other.
func TestClustersAreLockedInOneOrder(t *testing.T) {
	for range 20 {
		var notes []string
		clusters := map[string]cluster.Cluster{}
		for _, name := range []string{"d", "b", "c", "a"} {
			clusters[name] = &lockable{name: name, fails: name == "d", notes: &notes}
		}
		_, err := lock(t.Context(), clusters)
		if err == nil || !strings.Contains(err.Error(), "cluster d: somebody has it") {
			t.Fatalf("error %v, want one that names the cluster", err)
		}
		if diff := cmp.Diff([]string{"lock a", "lock b", "lock c", "unlock a", "unlock b", "unlock c"}, notes); diff != "" {
			t.Fatalf("locks (-want +got):\n%s", diff)
		}
	}
}
