// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestTheGraphContainsWhatAJobUses(t *testing.T) {
	t.Parallel()
	data := prerequisite("data", "d", "tool")
	data.RequireStorages = []*hclspec.StorageUse{{Name: "nfs"}}
	data.Callbacks[0].Commands = []string{"get <% $secrets.token %>"}
	job := jobOf(uses("d"), commands("use <% $secrets.own %>"), func(j *hclspec.Job, _ *hclspec.TaskRole) {
		j.Plugins = []*hclspec.Plugin{{Name: "ssh", Parameters: map[string]any{"key": "<% $secrets.token %>"}}}
		j.Storage = []*hclspec.StorageUse{{Name: "nfs"}}
		j.Secrets = []*hclspec.Secret{{Name: "own"}}
	})
	ws := workspace([]*hclspec.Prerequisite{data, script("tool")}, job)
	ws.Storages, ws.Secrets = []*hclspec.Storage{{Name: "nfs"}}, []*hclspec.Secret{{Name: "token"}}
	var got []string
	g := Graph([]*Job{resolveOne(t, ws)})
	for _, e := range g.Edges() {
		got = append(got, e.From.Label()+" -"+e.Label+"-> "+e.To.Label())
	}
	want := []string{
		"job.j --> worker",
		"worker -runs in-> image ubuntu:22.04",
		"worker -uses-> prerequisite.data.d",
		"worker -uses-> plugin.ssh",
		"worker -/mnt/nfs-> storage nfs",
		"worker -reads-> secret own",
		"prerequisite.data.d -requires-> prerequisite.script.tool",
		"prerequisite.data.d -reads-> secret token",
		"prerequisite.data.d -/mnt/nfs-> storage nfs",
		"plugin.ssh -reads-> secret token",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(g.Edges(), Graph([]*Job{resolveOne(t, ws)}).Edges()); diff != "" {
		t.Errorf("two graphs differ (-one +other)\n%s", diff)
	}
	own := Node{Kind: KindSecret, Job: "job.j", Name: "own"}
	if shared := (Node{Kind: KindSecret, Name: "token"}); !g.Has(own) || !g.Has(shared) {
		t.Errorf("nodes: %v", g.Nodes())
	}
}

func TestJobsShareStoragesButNotTheirInstances(t *testing.T) {
	t.Parallel()
	second := jobOf(uses("p"))
	second.Label, second.Name, second.Path = "k", "k", "job.k"
	jobs, diags := All(Input{Workspace: workspace([]*hclspec.Prerequisite{script("p")}, jobOf(uses("p")), second)})
	if len(diags) > 0 {
		t.Fatal(diagnostics(diags))
	}
	count := map[Kind]int{}
	for _, n := range Graph(jobs).Nodes() {
		count[n.Kind]++
	}
	if diff := cmp.Diff(map[Kind]int{KindJob: 2, KindTaskRole: 2, KindPrerequisite: 2, KindImage: 1}, count); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
