// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"cmp"
	"encoding/json"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestChangesAreAttributedToLocalsAndClusterBlocks checks locals and cluster blocks as
// causes. Both jobs use the local in their command. Their time limit comes from the
// cluster block.
func TestChangesAreAttributedToLocalsAndClusterBlocks(t *testing.T) {
	t.Parallel()
	const local, cluster = "local.epochs", "cluster.far"
	block := func(limit time.Duration) *hclspec.Cluster {
		return &hclspec.Cluster{Name: "far", User: "alice", MaxRunTime: hclspec.Duration(limit)}
	}
	tests := map[string]struct {
		run     func(*history.Run)
		refers  []hclspec.Address
		command string // the command of the planned jobs, without the value of epochs
		want    []string
	}{
		"the local and the block had other values": {func(*history.Run) {}, nil, "train", []string{local, cluster}},
		"a record of an earlier version":           {func(r *history.Run) { r.Locals, r.ClusterDefaults = nil, nil }, nil, "train", []string{"", ""}},
		"the local had the same value":             {func(r *history.Run) { r.Locals[0].Value = json.RawMessage("20") }, nil, "train", []string{"", cluster}},
		"the block had the same default":           {func(r *history.Run) { r.ClusterDefaults = block(2 * time.Hour).Defaults() }, nil, "train", []string{local, ""}},
		"the job would also change with the local": {func(*history.Run) {}, nil, "test", []string{"", cluster}},
		"the local refers to a changed variable that has no effect": {
			func(r *history.Run) {
				r.Variables = []history.Variable{{Name: "other", Value: json.RawMessage("1")}}
			}, []hclspec.Address{"var.other"}, "train", []string{local, cluster},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			jobs := func(command, epochs string, limit int) []*resolve.Job {
				all := []*resolve.Job{newJob("a", command+" "+epochs), newJob("b", command+" "+epochs)}
				for _, job := range all {
					job.Cluster, job.TaskRoles[0].MaxRunSeconds = "far", limit
				}
				return all
			}
			c := &recorded{runs: map[history.Key]*history.Run{}}
			for _, job := range jobs("train", "10", 3600) {
				l := live(job)
				r := record(l, "1")
				r.Cluster, r.ClusterDefaults = "far", block(time.Hour).Defaults()
				r.Locals = []history.Variable{{Name: "epochs", Value: json.RawMessage("10")}}
				tt.run(r)
				c.jobs, c.runs[r.Key()] = append(c.jobs, l), r
			}
			o := newOperation(c, func(o *operation.Options) {
				o.Workspace.Clusters = []*hclspec.Cluster{block(2 * time.Hour)}
				o.Workspace.Variables = []*hclspec.Variable{{Name: "other", Value: "2"}}
				o.Workspace.Locals = []*hclspec.Local{{Name: "epochs", Value: "20", References: tt.refers}}
			})
			p, err := o.Plan(t.Context(), operation.Request{Jobs: jobs(tt.command, "20", 7200), Earlier: func(in hclspec.Inputs) ([]*resolve.Job, bool) {
				limit := 7200
				if in.Clusters["far"] != nil {
					limit = 3600
				}
				return jobs(tt.command, cmp.Or(string(in.Locals["epochs"]), "20"), limit), true
			}})
			if err != nil {
				t.Fatal(err)
			}
			for _, change := range p.Changes {
				var got []string
				for _, f := range change.Fields {
					got = append(got, string(f.Cause))
				}
				if diff := gocmp.Diff(tt.want, got); diff != "" {
					t.Errorf("%s: (-want +got):\n%s", change.Address, diff)
				}
			}
		})
	}
}
