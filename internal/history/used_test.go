// SPDX-License-Identifier: MPL-2.0

package history_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestARecordListsTheUsedItems(t *testing.T) {
	t.Parallel()
	const set, tool, image = "marketplace://data/set?from=team", "marketplace://script/set?from=team", "marketplace://dockerimage/torch?from=team"
	locked := []history.Item{{Address: set}, {Address: tool}, {Address: image}, {Address: "module.a"}, {Address: "module.a.module.b"}, {Address: "module.ab"}}
	for name, c := range map[string]struct {
		job  resolve.Job
		want []string
	}{
		"a job without any":        {resolve.Job{Address: "job.fit"}, nil},
		"a job of a called module": {resolve.Job{Address: `module.a["x"].module.b.job.fit`}, []string{"module.a", "module.a.module.b"}},
		"items with values": {resolve.Job{Address: "job.fit", TaskRoles: []*resolve.TaskRole{{
			Image: resolve.Image{Address: image}, Steps: []*resolve.Step{{Address: set + `{path="/a"}`}},
		}}}, []string{set, image}},
		"what a module provides": {resolve.Job{Address: "job.fit", TaskRoles: []*resolve.TaskRole{{
			Steps: []*resolve.Step{{Address: "module.ab.prerequisite.data.x"}}, Mounts: []*resolve.Mount{{Address: "module.a.storage.s"}},
		}}}, []string{"module.a", "module.ab"}},
	} {
		r := &history.Run{Job: c.job.Canonical(), Items: locked}
		used, others := r.UsedItems()
		var got []string
		for _, i := range used {
			got = append(got, i.Address)
		}
		if diff := cmp.Diff(c.want, got); diff != "" || others != len(locked)-len(c.want) {
			t.Errorf("%s: %d other entries (-want +got)\n%s", name, others, diff)
		}
	}
	if used, others := (&history.Run{Items: locked}).UsedItems(); len(used) != len(locked) || others != 0 {
		t.Errorf("a record without its job: %v and %d other entries", used, others)
	}
}
