// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// hivedJob returns a job with the roles a and b. Each role has 2 tasks, each
// with 4 GPUs, 10 CPUs and 100 MiB.
func hivedJob(class string, wishes ...hclspec.HivedTaskRole) *hclspec.Job {
	return jobOf(func(j *hclspec.Job, r *hclspec.TaskRole) {
		j.Hived = &hclspec.Hived{JobPriorityClass: class, Path: j.Path}
		for _, w := range wishes {
			w.Path = j.Path
			j.Hived.TaskRoles = append(j.Hived.TaskRoles, &w)
		}
		b := *r
		r.Name, b.Name = "a", "b"
		r.Instances, b.Instances = 2, 2
		r.Resources.Limits = hclspec.Limits{GPU: 4, CPU: 10, MemoryMB: 100}
		b.Resources = r.Resources
		j.TaskRoles = append(j.TaskRoles, &b)
		j.Cluster, j.VirtualCluster = "gpu", "vc"
	})
}

func hivedWorkspace(job *hclspec.Job) *hclspec.Workspace {
	ws := workspace(nil, job)
	ws.Clusters = []*hclspec.Cluster{{
		Name: "gpu", Scheduler: "hived",
		SKUs: []*hclspec.SKU{{Name: "k80", GPU: 1, CPU: 4, Memory: 1000}, {Name: "v100", GPU: 2, CPU: 8, Memory: 20}, {Name: "cpu", CPU: 16, Memory: 1000}},
		VirtualClusters: []*hclspec.VirtualCluster{
			{Name: "vc", Quota: map[string]int{"k80": 30, "v100": 6}}, {Name: "mixed", Quota: map[string]int{"cpu": 8, "k80": 30}},
		},
	}}
	return ws
}

func TestRolesArePlacedInCells(t *testing.T) {
	t.Parallel()
	role := func(name, sku string, cells int, group string) *HivedTaskRole {
		return &HivedTaskRole{Name: name, SKUType: sku, LeafCellNumber: cells, AffinityGroup: group}
	}
	for name, c := range map[string]struct {
		job  *hclspec.Job
		want *Hived
	}{
		"the scarcest resource determines the cells; without an SKU, the smallest SKU": {
			hivedJob("prod"),
			&Hived{JobPriorityClass: "prod", Priority: 100, TaskRoles: []*HivedTaskRole{role("a", "", 5, "alice~j/default"), role("b", "", 5, "alice~j/default")}}},
		"a chosen SKU": {
			hivedJob("", hclspec.HivedTaskRole{Name: "a", SKUType: "k80"}),
			&Hived{JobPriorityClass: "test", Priority: 10, TaskRoles: []*HivedTaskRole{role("a", "k80", 4, "alice~j/default"), role("b", "", 5, "alice~j/default")}}},
		"only roles with a group are in a group": {
			hivedJob("test", hclspec.HivedTaskRole{Name: "b", AffinityGroupName: "g"}),
			&Hived{JobPriorityClass: "test", Priority: 10, TaskRoles: []*HivedTaskRole{role("a", "", 5, ""), {Name: "b", LeafCellNumber: 5, AffinityGroupName: "g", AffinityGroup: "alice~j/g"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, resolveOne(t, hivedWorkspace(c.job)).Hived); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestHivedWithoutSKUsCountsGPUs(t *testing.T) {
	t.Parallel()
	job := hivedJob("oppo", hclspec.HivedTaskRole{Name: "a", SKUType: "anything"})
	job.TaskRoles[1].Resources.GPU = 0
	ws := hivedWorkspace(job)
	ws.Clusters[0].SKUs, ws.Clusters[0].VirtualClusters = nil, nil
	got := resolveOne(t, ws).Hived
	if got.Priority != -1 || got.TaskRoles[0].LeafCellNumber != 4 || got.TaskRoles[1].LeafCellNumber != 1 {
		t.Errorf("priority %d, cells %d and %d", got.Priority, got.TaskRoles[0].LeafCellNumber, got.TaskRoles[1].LeafCellNumber)
	}
}

func TestInvalidPlacementsAreErrors(t *testing.T) {
	t.Parallel()
	inVC := func(vc string, job *hclspec.Job) *hclspec.Job {
		job.VirtualCluster = vc
		return job
	}
	wish := func(name, sku, cell, group string) hclspec.HivedTaskRole {
		return hclspec.HivedTaskRole{Name: name, SKUType: sku, PinnedCellID: cell, AffinityGroupName: group}
	}
	big := hivedJob("test")
	big.TaskRoles[0].Instances = 9
	loose := hivedJob("test")
	loose.TaskRoles[0].Instances, loose.GangAllocation = 9, false
	for name, c := range map[string]struct {
		job  *hclspec.Job
		want string
	}{
		"a role that the job does not have":          {hivedJob("test", wish("c", "", "", "")), `hived-unknown-role 101: The hived block places the task role "c", but the job declares "a", "b".`},
		"an SKU that does not exist":                 {hivedJob("test", wish("a", "k800", "", "")), `hived-unknown-sku 101: The task role "a" requests the SKU "k800", but the virtual cluster "vc" has "k80", "v100". Did you mean "k80"?`},
		"an SKU of another virtual cluster":          {hivedJob("test", wish("a", "cpu", "", "")), `hived-unknown-sku 101: The task role "a" requests the SKU "cpu", but the virtual cluster "vc" has "k80", "v100".`},
		"opportunistic jobs may use any SKU":         {hivedJob("oppo", wish("a", "k80", "", ""), wish("b", "v100", "", "")), ""},
		"an SKU and a pinned cell":                   {hivedJob("test", wish("a", "k80", "pin", "")), `hived-cell-and-sku 101: The task role "a" has the SKU "k80" and the pinned cell "pin". A pinned cell determines the SKU; remove either sku_type or pinned_cell_id.`},
		"GPUs in a cluster with an SKU without GPUs": {inVC("mixed", hivedJob("test", wish("b", "k80", "", ""))), `hived-resource 101: The task role "a" requests 4 GPUs, but the smallest SKU has none. Choose a different SKU with sku_type.`},
		"an affinity group with different SKUs":      {hivedJob("test", wish("a", "k80", "", "g"), wish("b", "v100", "", "g")), "hived-affinity 101: The task roles \"a\" and \"b\" are in the affinity group \"g\", so they must have the same sku_type and pinned_cell_id.\nhived-quota 101: job.j needs 10 units of the SKU \"v100\" at the same time, but the virtual cluster \"vc\" has 6."},
		"more than the quota":                        {big, `hived-quota 101: job.j needs 55 units at the same time, but the virtual cluster "vc" has 36.`},
		"more than the quota, without a gang":        {loose, ""},
		"an unknown virtual cluster":                 {inVC("cv", hivedJob("test", wish("a", "k80", "", ""), wish("b", "k80", "", ""))), `hived-unknown-virtual-cluster 101: job.j uses the virtual cluster "cv", but the cluster "gpu" declares "vc", "mixed". Did you mean "vc"?`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, diags := All(Input{Workspace: hivedWorkspace(c.job), User: "alice"})
			if diff := cmp.Diff(c.want, strings.TrimSpace(diagnostics(diags))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestHiveDPlacesAllJobsOfItsClusterAndNoOther(t *testing.T) {
	t.Parallel()
	plain := func(job *hclspec.Job) *hclspec.Job {
		job.Hived = nil
		return job
	}
	on := func(cluster string, job *hclspec.Job) *hclspec.Job {
		job.Cluster = cluster
		return job
	}
	byDefault := &Hived{JobPriorityClass: "test", Priority: 10, TaskRoles: []*HivedTaskRole{{Name: "a", LeafCellNumber: 5, AffinityGroup: "alice~j/default"}, {Name: "b", LeafCellNumber: 5, AffinityGroup: "alice~j/default"}}}
	big := plain(hivedJob(""))
	big.TaskRoles[0].Instances = 9
	for name, c := range map[string]struct {
		scheduler   string
		job         *hclspec.Job
		want        *Hived
		diagnostics string
	}{
		"a job without a hived block on a cluster with HiveD":  {"hived", plain(hivedJob("")), byDefault, ""},
		"a job above the quota without a hived block":          {"hived", big, byDefault, `hived-quota 101: job.j needs 55 units at the same time, but the virtual cluster "vc" has 36.`},
		"a job without a hived block on any other cluster":     {"default", plain(hivedJob("")), nil, ""},
		"a hived block on a cluster without a scheduler":       {"", hivedJob("prod"), nil, `hived-ignored 101: The cluster "gpu" does not set scheduler = "hived", so the HiveD settings of job.j have no effect. Set scheduler if HiveD places the jobs of this cluster; otherwise remove the settings.`},
		"a hived block on a cluster without HiveD":             {"default", hivedJob("prod"), nil, `hived-ignored 101: The cluster "gpu" does not set scheduler = "hived", so the HiveD settings of job.j have no effect. Set scheduler if HiveD places the jobs of this cluster; otherwise remove the settings.`},
		"SKUs have no effect if HiveD does not place the jobs": {"default", hivedJob("prod", hclspec.HivedTaskRole{Name: "a", SKUType: "none"}), nil, `hived-ignored 101: The cluster "gpu" does not set scheduler = "hived", so the HiveD settings of job.j have no effect. Set scheduler if HiveD places the jobs of this cluster; otherwise remove the settings.`},
		"a hived block on the local cluster":                   {"hived", on("", hivedJob("prod")), nil, "hived-ignored 101: The local cluster does not use HiveD, so the HiveD settings of job.j have no effect."},
		"a job on the local cluster without a hived block":     {"hived", on("local", plain(hivedJob(""))), nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws := hivedWorkspace(c.job)
			ws.Clusters[0].Scheduler = c.scheduler
			jobs, diags := All(Input{Workspace: ws, User: "alice"})
			if diff := cmp.Diff(c.want, jobs[0].Hived); diff != "" {
				t.Errorf("placement (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(c.diagnostics, strings.TrimSpace(diagnostics(diags))); diff != "" {
				t.Errorf("diagnostics (-want +got)\n%s", diff)
			}
		})
	}
}
