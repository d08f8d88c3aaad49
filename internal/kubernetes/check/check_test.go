// SPDX-License-Identifier: MPL-2.0

package check

import (
	"slices"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

func readyNode(labels, allocatable map[string]string) node {
	var n node
	n.Metadata.Labels, n.Status.Allocatable = labels, allocatable
	n.Status.Conditions = []struct{ Type, Status string }{{"MemoryPressure", "False"}, {"Ready", "True"}}
	return n
}

func TestNodesAreComparedWithWhatTasksAskFor(t *testing.T) {
	t.Parallel()
	gpu := func(n string) map[string]string { return map[string]string{"cpu": "3500m", "nvidia.com/gpu": n} }
	closed := readyNode(nil, gpu("8"))
	closed.Spec.Unschedulable = true
	for name, c := range map[string]struct {
		nodes []node
		needs needs
		want  []string // result and part of the details
	}{
		"no node":                          {nil, needs{}, []string{"missing 0 of 0"}},
		"only a cordoned node":             {[]node{closed}, needs{}, []string{"missing 0 of 1"}},
		"nodes, and nothing asked":         {[]node{readyNode(nil, nil), closed}, needs{}, []string{"ok 1 of 2"}},
		"no label of OpenPAI":              {[]node{readyNode(map[string]string{"pai-worker": "false"}, nil)}, needs{profile: "openpai"}, []string{"ok 1 of 1", "missing no ready node is labeled pai-worker=true"}},
		"a label of OpenPAI":               {[]node{readyNode(map[string]string{"pai-worker": "true"}, nil)}, needs{profile: "openpai"}, []string{"ok 1 of 1", "ok 1 node with the label"}},
		"GPUs for the largest task":        {[]node{readyNode(nil, gpu("4")), readyNode(nil, gpu("0"))}, needs{resources: map[string]int{"nvidia.com/gpu": 4}}, []string{"ok 2 of 2", "ok 1 node with nvidia.com/gpu, at most 4 per node"}},
		"too few GPUs on every node":       {[]node{readyNode(nil, gpu("4")), readyNode(nil, gpu("4"))}, needs{resources: map[string]int{"nvidia.com/gpu": 8}}, []string{"ok 2 of 2", "missing 2 nodes with nvidia.com/gpu, at most 4 per node"}},
		"GPUs only on nodes without tasks": {[]node{readyNode(nil, nil), closed}, needs{resources: map[string]int{"nvidia.com/gpu": 1}}, []string{"ok 1 of 2", "missing no ready node has nvidia.com/gpu"}},
	} {
		compare(t, name, evaluateNodes(c.nodes, c.needs), c.want)
	}
}

// compare compares the results with want. A string in want may omit the end
// of the details. It also checks that every problem has advice.
func compare(t *testing.T, name string, found []cluster.CheckResult, want []string) {
	t.Helper()
	var got []string
	for i, f := range found {
		text := string(f.Result) + " " + f.Found
		if i < len(want) && strings.HasPrefix(text, want[i]) {
			text = want[i]
		}
		got = append(got, text)
		if (f.Result == cluster.ResultOK) == !f.Advice.Empty() {
			t.Errorf("%s: %s with the advice %q; want advice only for problems", name, text, f.Advice)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got)\n%s", name, diff)
	}
}

func TestOneEngineRuns(t *testing.T) {
	t.Parallel()
	pod := func(name, ready string) (p enginePod) {
		p.Metadata.Name, p.Metadata.Namespace, p.Status.Phase = name, "ns", "Running"
		p.Status.Conditions = []struct{ Type, Status string }{{"Ready", ready}}
		return p
	}
	for name, c := range map[string]struct {
		pods []enginePod
		want string
	}{
		"none":                  {nil, "missing no Pod has the label"},
		"one that is ready":     {[]enginePod{pod("a", "True")}, "ok runs as Pod ns/a"},
		"one that is not":       {[]enginePod{pod("a", "False")}, "missing not ready: ns/a (Running)"},
		"a new Pod is starting": {[]enginePod{pod("a", "True"), pod("b", "False")}, "ok runs as Pod ns/a"},
		"two":                   {[]enginePod{pod("a", "True"), pod("b", "True")}, "warning runs 2 times: ns/a, ns/b"},
	} {
		compare(t, name, []cluster.CheckResult{evaluateEngine("engine", c.pods)}, []string{c.want})
	}
}

func TestPodSecurityFitsTheCluster(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		level   string
		cluster hclspec.Cluster
		want    cluster.Result
	}{
		"restricted, and written":     {"restricted", hclspec.Cluster{PodSecurity: "restricted"}, cluster.ResultOK},
		"restricted, and not written": {"restricted", hclspec.Cluster{}, cluster.ResultMissing},
		"baseline":                    {"baseline", hclspec.Cluster{}, cluster.ResultOK},
		"baseline, with OpenPAI":      {"baseline", hclspec.Cluster{Profile: render.ProfileOpenPAI}, cluster.ResultMissing},
		"privileged, with OpenPAI":    {"privileged", hclspec.Cluster{Profile: render.ProfileOpenPAI}, cluster.ResultWarning},
		"no level, with OpenPAI":      {"", hclspec.Cluster{Profile: render.ProfileOpenPAI}, cluster.ResultWarning},
		"no level":                    {"", hclspec.Cluster{}, cluster.ResultWarning},
		"privileged":                  {"privileged", hclspec.Cluster{}, cluster.ResultWarning},
	} {
		if got := evaluateLevel("level", c.level, &c.cluster); got.Result != c.want || got.Advice.Empty() != (c.want == cluster.ResultOK) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestNeedsAreCollectedFromTheJobsOfACluster(t *testing.T) {
	t.Parallel()
	nfs := &hclspec.Storage{Name: "nfs", NFS: &hclspec.NFSVolume{Server: "s", Path: "/"}}
	home := &hclspec.Storage{Name: "home", Claim: "home-claim"}
	declared := &hclspec.Cluster{Name: "gpu", LogStorage: "storage.home", Pod: &hclspec.Pod{PriorityClass: "low"}}
	ws := &hclspec.Workspace{Name: "vision", Clusters: []*hclspec.Cluster{declared}, Storages: []*hclspec.Storage{nfs, home}}
	jobs := []*resolve.Job{
		{Cluster: "gpu", Declared: &hclspec.Job{}, Pod: &hclspec.Pod{ImagePullSecrets: []string{"b", "a"}}, TaskRoles: []*resolve.TaskRole{
			{Limits: hclspec.Limits{GPU: 2}, Mounts: []*resolve.Mount{{Storage: "nfs", Declared: nfs}, {Storage: "bare"}}},
			{Limits: hclspec.Limits{GPU: 4}},
		}},
		{Cluster: "gpu", Hived: &resolve.Hived{TaskRoles: []*resolve.HivedTaskRole{{Name: "placed"}}}, TaskRoles: []*resolve.TaskRole{{Name: "placed", Limits: hclspec.Limits{GPU: 16}}}},
		{Cluster: "gpu", TaskRoles: []*resolve.TaskRole{{Mounts: []*resolve.Mount{{Storage: "of a record"}}}}},
		{Cluster: "other", TaskRoles: []*resolve.TaskRole{{Limits: hclspec.Limits{GPU: 64}, Mounts: []*resolve.Mount{{Storage: "elsewhere"}}}}},
	}
	want := needs{
		objects: map[string]map[string]string{"secrets": {"get": render.WorkspaceObject(ws.Name)}},
		claims:  map[string]string{"home": "home-claim", "bare": "bare"}, createsVolumes: true,
		pullSecrets: []string{"a", "b"}, priorities: []string{"low"}, resources: map[string]int{"nvidia.com/gpu": 4},
	}
	if diff := cmp.Diff(want, needsOf(ws, declared, jobs), cmp.AllowUnexported(needs{})); diff != "" {
		t.Errorf("needs (-want +got)\n%s", diff)
	}
	declared.Profile = render.ProfileOpenPAI
	if got := needsOf(ws, declared, jobs).accounts; !slices.Equal(got, []string{"runtime-account"}) {
		t.Errorf("accounts %q", got)
	}
}

func TestTheNearestServiceAccountTakesPrecedence(t *testing.T) {
	t.Parallel()
	named := func(name string) *hclspec.Pod { return &hclspec.Pod{ServiceAccount: name} }
	job := func(pod *hclspec.Pod, roles ...*hclspec.Pod) *resolve.Job {
		j := &resolve.Job{Cluster: "gpu", Pod: pod}
		for _, p := range roles {
			j.TaskRoles = append(j.TaskRoles, &resolve.TaskRole{Pod: p})
		}
		return j
	}
	for name, tt := range map[string]struct {
		declared  hclspec.Cluster
		jobs      []*resolve.Job
		want      []string
		permitted bool
	}{
		"no job":                            {},
		"no job, an account of the cluster": {declared: hclspec.Cluster{ServiceAccount: "c"}, want: []string{"c"}, permitted: true},
		"one of two jobs sets an account":   {jobs: []*resolve.Job{job(named("j"), nil), job(nil, nil)}, want: []string{"j"}},
		"each role sets an account; the nearest setting wins": {jobs: []*resolve.Job{job(named("j"), nil, named("r"))}, want: []string{"j", "r"}, permitted: true},
		"the account of the cluster is not used":              {declared: hclspec.Cluster{ServiceAccount: "c"}, jobs: []*resolve.Job{job(named("j"), nil)}, want: []string{"j"}, permitted: true},
	} {
		tt.declared.Name = "gpu"
		n := needsOf(&hclspec.Workspace{Name: "vision", Clusters: []*hclspec.Cluster{&tt.declared}}, &tt.declared, tt.jobs)
		if diff := cmp.Diff(tt.want, n.accounts); diff != "" || n.hasAccounts != tt.permitted {
			t.Errorf("%s: all given %t, accounts (-want +got)\n%s", name, n.hasAccounts, diff)
		}
	}
}

func TestOnlyNeededPermissionsAreChecked(t *testing.T) {
	t.Parallel()
	has := func(n needs, resource string) bool {
		for _, p := range permissions(n) {
			if p.resource == resource {
				return true
			}
		}
		return false
	}
	for resource, c := range map[string]struct{ own, account, creates, priorities bool }{
		"roles":             {own: true, creates: true, priorities: true},
		"serviceaccounts":   {own: true, creates: true, priorities: true},
		"frameworks":        {true, true, true, true},
		"persistentvolumes": {creates: true},
		"priorityclasses":   {priorities: true},
	} {
		if has(needs{}, resource) != c.own || has(needs{hasAccounts: true}, resource) != c.account || has(needs{createsVolumes: true}, resource) != c.creates || has(needs{ownPriorities: true}, resource) != c.priorities {
			t.Errorf("%s: the check requires a permission that is not needed, or omits a needed permission", resource)
		}
	}
}

func TestTheMinorVersionOfAnAPIServerIsParsed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"36": 36, "21+": 21} {
		if got, ok := parseMinorVersion("1", text); !ok || got != want {
			t.Errorf("%s: %d, %t", text, got, ok)
		}
	}
	if _, ok := parseMinorVersion("1", "x"); ok {
		t.Error("a string is not a version")
	}
}
