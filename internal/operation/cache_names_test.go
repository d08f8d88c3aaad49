// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"
	"strconv"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// crowded is a cluster on which jobs of another workspace use names. The
// plan's workspace has no jobs. It counts requests.
type crowded struct {
	cluster.Cluster
	names        map[string]bool
	err          error
	finds, lists int
}

func (c *crowded) Read(context.Context, string, []string) (*planner.Snapshot, error) {
	return &planner.Snapshot{}, nil
}

func (c *crowded) Find(_ context.Context, framework string) (*planner.LiveJob, error) {
	c.finds++
	if !c.names[framework] {
		return nil, nil
	}
	return &planner.LiveJob{Framework: framework, Workspace: "other"}, nil
}

func (c *crowded) UsedNames(context.Context) (map[string]bool, error) {
	c.lists++
	return c.names, c.err
}

func TestNamesOfManyNewJobsAreAskedForAtOnce(t *testing.T) {
	tests := map[string]struct {
		jobs, finds, lists int
		err                error
	}{
		"a few names are requested one by one": {jobs: fewNames, finds: fewNames},
		// The last name belongs to a job of another workspace.
		"many names are listed in one request":                           {jobs: 200, finds: fewNames + 1, lists: 1},
		"without the permission to list, names are requested one by one": {jobs: 20, finds: 20, lists: 12, err: errors.New("forbidden")},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			last := strconv.Itoa(tt.jobs - 1)
			there := &crowded{names: map[string]bool{last: true}, err: tt.err}
			c := New(Options{Workspace: &hclspec.Workspace{Name: "team"}, Directory: "/nowhere", Open: func(*hclspec.Cluster) (cluster.Cluster, error) { return there, nil }}).Cache("local")
			for i := range tt.jobs {
				framework := strconv.Itoa(i)
				found, err := c.Live(t.Context(), hclspec.NewAddress("job", framework), framework)
				if err != nil {
					t.Fatal(err)
				}
				if held := len(found.Jobs) == 1; held != (framework == last) {
					t.Errorf("job %s is held by another: %t", framework, held)
				}
			}
			if there.finds != tt.finds || there.lists != tt.lists {
				t.Errorf("%d finds and %d lists, want %d and %d", there.finds, there.lists, tt.finds, tt.lists)
			}
		})
	}
}
