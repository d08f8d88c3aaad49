// SPDX-License-Identifier: MPL-2.0

package output

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestDiffersListsFieldsThenInputs(t *testing.T) {
	t.Parallel()
	const address = "prerequisite.data.table"
	table := func(sum string) history.Data {
		return history.Data{Prerequisite: address, URL: "table.csv", SHA256: sum, Bytes: 8}
	}
	item := func(version string) []history.Item {
		return []history.Item{{Address: address, Version: version}, {Address: "marketplace://lab/unused", Version: version}}
	}
	secret := func(version, key string) history.Run {
		return history.Run{Secrets: map[string]string{"token": version}, SecretsKey: key}
	}
	pinned := []*resolve.Fetch{{URL: "table.csv", SHA256: "bb"}}
	for name, c := range map[string]struct {
		before, after history.Run
		fetch         []*resolve.Fetch
		command       string
		want          []string
	}{
		"equal runs":           {before: history.Run{Data: []history.Data{table("aa")}}, after: history.Run{Data: []history.Data{table("aa")}}},
		"other data":           {before: history.Run{Data: []history.Data{table("aa")}}, after: history.Run{Data: []history.Data{table("bb")}}, want: []string{"data " + address}},
		"a declared hash":      {before: history.Run{Data: []history.Data{table("aa")}}, after: history.Run{Data: []history.Data{table("bb")}}, fetch: pinned},
		"data of a failed run": {before: history.Run{Data: []history.Data{table("")}}, after: history.Run{Data: []history.Data{table("bb")}}},
		"another item":         {before: history.Run{Items: item("1")}, after: history.Run{Items: item("2")}, want: []string{"item " + address}},
		"another version of a secret": {
			before: secret("v:1", "k1"), after: secret("v:2", "k2"), want: []string{"secret token"},
		},
		"another value of a secret": {
			before: secret("hmac:00", "k1"), after: secret("hmac:11", "k1"), want: []string{"secret token"},
		},
		"a secret with another key": {
			before: secret("hmac:00", "k1"), after: secret("hmac:11", "k2"), want: []string{"secret token (not comparable)"},
		},
		"a field and data": {
			before: history.Run{Data: []history.Data{table("aa")}}, after: history.Run{Data: []history.Data{table("bb")}}, command: "false",
			want: []string{`task_role["w"].commands`, "data " + address},
		},
	} {
		job := func(command string) []byte {
			role := &resolve.TaskRole{Name: "w", Commands: []string{command}, Steps: []*resolve.Step{{Address: address, Fetch: c.fetch}}}
			return (&resolve.Job{Address: "job.a", TaskRoles: []*resolve.TaskRole{role}}).Canonical()
		}
		c.before.Address, c.after.Address = "job.a", "job.a"
		c.before.Job, c.after.Job = job("true"), job("true"+c.command)
		got := Differs([]operation.RecordedRun{{Run: &c.before}}, operation.RecordedRun{Run: &c.after})
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}
