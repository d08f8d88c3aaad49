// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestRecordedStoragesHaveTheirValues checks that a plan from a decoded record
// shows the old and new values of a storage field.
func TestRecordedStoragesHaveTheirValues(t *testing.T) {
	t.Parallel()
	on := func(server string) jobOption {
		return withRole(func(r *resolve.TaskRole) {
			declared := &hclspec.Storage{Name: "data", Path: "storage.data", NFS: &hclspec.NFSVolume{Server: server, Path: "/export"}}
			r.Mounts = []*resolve.Mount{{Storage: "data", Path: "/mnt/data", Declared: declared}}
		})
	}
	before, after := newJob("a", on("old.example.org")), newJob("a", on("new.example.org"))
	recorded, err := planner.DecodeApplied(before.Canonical())
	if err != nil {
		t.Fatal(err)
	}
	live := newLive(before)
	live.Applied = recorded
	p := planner.New(planner.Options{Workspace: "ws", Jobs: []*resolve.Job{after}, Live: has(live)})
	want := []planner.FieldChange{{
		Path: `task_role["worker"].storage["/mnt/data"].nfs.server`, Before: "old.example.org", BeforeKnown: true, After: "new.example.org", AfterKnown: true,
		Effect: hclspec.EffectReplace, Cause: "storage.data",
	}}
	if diff := cmp.Diff(want, p.Changes[0].Fields); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}

// TestARenamedJobKeepsItsAffinityGroups checks that only the name changes,
// although names of HiveD affinity groups contain the job name.
func TestARenamedJobKeepsItsAffinityGroups(t *testing.T) {
	t.Parallel()
	named := func(name string) *resolve.Job {
		return newJob("a", func(j *resolve.Job) {
			j.Name = name
			j.Hived = &resolve.Hived{JobPriorityClass: "test", TaskRoles: []*resolve.HivedTaskRole{{Name: "worker", LeafCellNumber: 1, AffinityGroup: "alice~" + name + "/default"}}}
		})
	}
	fields := planner.Differences(named("old"), named("new"))
	if len(fields) != 1 || fields[0].Path != "name" {
		t.Errorf("fields %v", fields)
	}
}
