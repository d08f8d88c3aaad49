// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func mounting(mounts ...*resolve.Mount) *resolve.Job {
	return &resolve.Job{
		Address: hclspec.NewAddress("job", "a"), Name: "a", Framework: "a", User: "alice", Workspace: "ws", Cluster: "gpu",
		TaskRoles: []*resolve.TaskRole{{Name: "worker", Instances: 1, Commands: []string{"date"}, Mounts: mounts}},
	}
}

func nfs(server, path string) *resolve.Mount {
	return &resolve.Mount{Storage: "data", Path: "/data", By: []string{"prerequisite.digits"}, Declared: &hclspec.Storage{Name: "data", NFS: &hclspec.NFSVolume{Server: server, Path: path}}}
}

func narrowed(m *resolve.Mount, users, groups []string) *resolve.Mount {
	m.Declared.Users, m.Declared.Groups = users, groups
	return m
}

func hostPath(path string) *resolve.Mount {
	return &resolve.Mount{Storage: "data", Path: "/data", By: []string{"job.a"}, Declared: &hclspec.Storage{Name: "data", HostPath: path}}
}

func TestOnlyPermittedUsersMayUseAStorage(t *testing.T) {
	t.Parallel()
	table := func(storage string, users ...string) *planner.StoragePermissions {
		return &planner.StoragePermissions{
			Place: "the table", Groups: map[string][]string{"vision": {"alice"}, "speech": {"bob"}},
			Storages: []planner.StoragePermission{{Storage: storage, Users: users}},
		}
	}
	groups := func(names ...string) *planner.StoragePermissions {
		p := table("nfs/host/export")
		p.Storages[0].Groups = names
		return p
	}
	deny := &planner.StoragePermissions{Place: "the table", Unlisted: "deny"}
	tests := map[string]struct {
		table *planner.StoragePermissions
		mount *resolve.Mount
		want  string // substring of the diagnostic; "" means no diagnostic
	}{
		"no table":                                              {nil, nfs("host", "/export"), ""},
		"a listed user":                                         {table("nfs/host/export", "alice"), nfs("host", "/export"), ""},
		"another user":                                          {table("nfs/host/export", "bob"), nfs("host", "/export"), `The storage "data" (nfs/host/export) is restricted to "bob" according to the table, but the user of job.a is "alice". The mount is requested by prerequisite.digits.`},
		"a rule without users":                                  {table("nfs/host/export"), nfs("host", "/export"), `is restricted to no user`},
		"a member of a group":                                   {groups("vision"), nfs("host", "/export"), ""},
		"a member of another group":                             {groups("speech"), nfs("host", "/export"), `is restricted to the group "speech"`},
		"a directory inside the storage":                        {table("nfs/host/export", "bob"), nfs("host", "/export/sub"), `is restricted to "bob"`},
		"a parent of the storage":                               {table("nfs/host/export", "bob"), nfs("host", "/"), `is restricted to "bob"`},
		"another storage whose name has the same prefix":        {table("nfs/host/export", "bob"), nfs("host", "/exports"), ""},
		"a bypass with dots":                                    {table("nfs/host/export", "bob"), nfs("host", "/x/../export/"), `is restricted to "bob"`},
		"a server in capitals":                                  {table("nfs/host/export", "bob"), nfs("HOST", "/export"), `is restricted to "bob"`},
		"a claim that is not declared":                          {table("claim/data", "bob"), &resolve.Mount{Storage: "data", By: []string{"job.a"}}, `is restricted to "bob"`},
		"a claim that the block declares under another name":    {table("claim/data", "bob"), &resolve.Mount{Storage: "x", Declared: &hclspec.Storage{Name: "x", Claim: "data"}}, `is restricted to "bob"`},
		"a storage without a rule":                              {table("claim/data", "bob"), nfs("host", "/export"), ""},
		"a storage without a rule, if such storages are denied": {deny, nfs("host", "/export"), `is restricted to no user`},
		"the block narrows by users":                            {table("nfs/host/export", "alice"), narrowed(nfs("host", "/export"), []string{"bob"}, nil), `The storage "data" is restricted to "bob"`},
		"the block narrows by groups":                           {table("nfs/host/export", "alice"), narrowed(nfs("host", "/export"), nil, []string{"speech"}), `is restricted to the group "speech"`},
		"the block lists a group of the user":                   {table("nfs/host/export", "alice"), narrowed(nfs("host", "/export"), nil, []string{"vision"}), ""},
		"the block cannot widen":                                {table("nfs/host/export", "bob"), narrowed(nfs("host", "/export"), []string{"alice"}, nil), `is restricted to "bob"`},
		"a directory of a node without a table":                 {nil, hostPath("/data"), `The storage "data" (host_path/data) is a node directory, but the cluster gpu has no permission table that allows the mount.`},
		"a directory of a node without a rule":                  {table("claim/data", "alice"), hostPath("/data"), `no rule in the table allows "alice"`},
		"a directory of a node with a rule":                     {table("host_path/data", "alice"), hostPath("/data"), ""},
		"a directory inside a permitted directory":              {table("host_path/data", "alice"), hostPath("/data/x"), ""},
		"a directory that contains a permitted directory":       {table("host_path/data", "alice"), hostPath("/"), `no rule in the table allows "alice"`},
		"a directory of a node that another user may use":       {table("host_path/data", "bob"), hostPath("/data"), `is restricted to "bob"`},
		"unknown groups":                                        {nil, narrowed(nfs("host", "/export"), nil, []string{"vision"}), `so the plan cannot check whether "alice"`},
		"unknown groups, but a listed user":                     {nil, narrowed(nfs("host", "/export"), []string{"alice"}, []string{"vision"}), ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := planner.New(planner.Options{Workspace: "ws", Jobs: []*resolve.Job{mounting(tt.mount)}, Live: map[string]*planner.Snapshot{"gpu": {Permissions: tt.table}}})
			var got []string
			for _, d := range p.Diagnostics {
				got = append(got, d.Detail)
			}
			switch {
			case tt.want == "" && len(got) > 0, tt.want != "" && (len(got) != 1 || !strings.Contains(got[0], tt.want)):
				t.Errorf("diagnostics %q, want %q", got, tt.want)
			case tt.want != "" && tt.table != nil && !p.Diagnostics.HasErrors():
				t.Error("the diagnostic is not an error")
			}
		})
	}
}

// The cluster block also mounts node directories into tasks.
func TestStoragesOfTheClusterNeedPermission(t *testing.T) {
	t.Parallel()
	logs := render.Target{RuntimeImage: "runtime:1", LogStorage: &hclspec.Storage{Name: "logs", HostPath: "/var/log/jobs"}}
	downloads := render.Target{RuntimeImage: "runtime:1", FetchCache: "/var/cache/jobs"}
	fetching := mounting()
	fetching.TaskRoles[0].Steps = []*resolve.Step{{Fetch: []*resolve.Fetch{{URL: "https://example.com/a"}}}}
	rule := func(storage string) *planner.StoragePermissions {
		return &planner.StoragePermissions{Place: "the table", Storages: []planner.StoragePermission{{Storage: storage, Users: []string{"alice"}}}}
	}
	for name, tt := range map[string]struct {
		job    *resolve.Job
		target render.Target
		table  *planner.StoragePermissions
		want   string // substring of the diagnostic; "" means no diagnostic
	}{
		"logs in a directory of the node":      {mounting(), logs, nil, `The storage "logs" (host_path/var/log/jobs) is a node directory, but the cluster gpu has no permission table that allows the mount.`},
		"logs in a directory with a rule":      {mounting(), logs, rule("host_path/var/log/jobs"), ""},
		"logs in a claim":                      {mounting(), render.Target{RuntimeImage: "runtime:1", LogStorage: &hclspec.Storage{Name: "logs", Claim: "logs"}}, nil, ""},
		"logs in a claim without permission":   {mounting(), render.Target{RuntimeImage: "runtime:1", LogStorage: &hclspec.Storage{Name: "logs", Claim: "logs"}}, &planner.StoragePermissions{Place: "the table", Unlisted: "deny"}, `The storage "logs" (claim/logs) is restricted to no user`},
		"downloads in a directory of the node": {fetching, downloads, nil, `The mount is requested by fetch_cache of cluster.gpu.`},
		"downloads in a directory with a rule": {fetching, downloads, rule("host_path/var/cache"), ""},
		"a download cache that no task uses":   {mounting(), downloads, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := planner.New(planner.Options{
				Workspace: "ws", Jobs: []*resolve.Job{tt.job}, RenderTargets: map[string]render.Target{"gpu": tt.target},
				Live: map[string]*planner.Snapshot{"gpu": {Permissions: tt.table}},
			})
			var got []string
			for _, d := range p.Diagnostics {
				if d.Severity == hcl.DiagError {
					got = append(got, d.Detail)
				}
			}
			if tt.want == "" && len(got) > 0 || tt.want != "" && (len(got) != 1 || !strings.Contains(got[0], tt.want)) {
				t.Errorf("diagnostics %q, want %q", got, tt.want)
			}
		})
	}
}

func TestADirectoryOfThisMachineNeedsNoPermission(t *testing.T) {
	t.Parallel()
	job := mounting(hostPath("/data"))
	job.Cluster = resolve.LocalCluster
	p := planner.New(planner.Options{Workspace: "ws", Jobs: []*resolve.Job{job}, Live: map[string]*planner.Snapshot{resolve.LocalCluster: {}}})
	if len(p.Diagnostics) > 0 {
		t.Errorf("diagnostics %v", p.Diagnostics)
	}
}

func TestWhatRunsIsNotCheckedAgain(t *testing.T) {
	t.Parallel()
	job := mounting(nfs("host", "/export"))
	hash, fields := planner.Hashes(job)
	live := &planner.LiveJob{Address: job.Address, Workspace: "ws", User: "alice", Framework: "a", Present: true, State: planner.StateRunning, Hash: hash, Fields: fields}
	deny := &planner.StoragePermissions{Place: "the table", Unlisted: "deny"}
	p := planner.New(planner.Options{Workspace: "ws", Jobs: []*resolve.Job{job}, Live: map[string]*planner.Snapshot{"gpu": {Jobs: []*planner.LiveJob{live}, Permissions: deny}}})
	if len(p.Diagnostics) > 0 || !p.Empty() {
		t.Errorf("a job that continues was rejected: %v", p.Diagnostics)
	}
}

func TestStoragePermissionsAreValidated(t *testing.T) {
	t.Parallel()
	rule := func(storage string, groups ...string) planner.StoragePermissions {
		return planner.StoragePermissions{Storages: []planner.StoragePermission{{Storage: storage, Groups: groups}}}
	}
	tests := map[string]struct {
		table planner.StoragePermissions
		want  string
	}{
		"nothing":                      {planner.StoragePermissions{}, ""},
		"a claim":                      {rule("claim/data"), ""},
		"a kind that does not exist":   {rule("pvc/data"), `invalid storages[0].storage "pvc/data"`},
		"no kind":                      {rule("data"), "must consist of a storage kind"},
		"a path with dots":             {rule("nfs/host/../x"), "must consist of a storage kind"},
		"a server in capitals":         {rule("nfs/Host/export"), "must consist of a storage kind"},
		"a path that ends in a slash":  {rule("nfs/host/export/"), "must consist of a storage kind"},
		"a group that does not exist":  {rule("claim/data", "vision"), `contains the undefined group "vision"`},
		"an unknown value of unlisted": {planner.StoragePermissions{Unlisted: "no"}, `unlisted must be allow or deny, but is "no"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := tt.table.Check()
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

// Only submission requires the permission; for an existing job, the
// diagnostic is a warning.
func TestMissingStoragePermissionsAreErrorsOnlyForSubmissions(t *testing.T) {
	t.Parallel()
	running := func(l *planner.LiveJob) { l.State = planner.StateRunning }
	finished := func(l *planner.LiveJob) { l.State = planner.StateSucceeded }
	declared := narrowed(nfs("host", "/export"), []string{"bob"}, nil)
	table := &planner.StoragePermissions{Place: "the table", Unlisted: "deny"}
	for name, tt := range map[string]struct {
		table *planner.StoragePermissions
		live  func(*planner.LiveJob)
		now   func(*resolve.Job)
		rerun bool
		want  hcl.DiagnosticSeverity
	}{
		"created":             {nil, nil, nil, false, hcl.DiagError},
		"running":             {nil, running, nil, false, hcl.DiagWarning},
		"finished":            {nil, finished, nil, false, hcl.DiagWarning},
		"finished and rerun":  {nil, finished, nil, true, hcl.DiagError},
		"replaced":            {nil, running, func(j *resolve.Job) { j.TaskRoles[0].Commands = []string{"true"} }, false, hcl.DiagError},
		"changed in place":    {nil, running, func(j *resolve.Job) { j.Description = "x" }, false, hcl.DiagWarning},
		"replaced, by table":  {table, running, func(j *resolve.Job) { j.TaskRoles[0].Commands = []string{"true"} }, false, hcl.DiagError},
		"in place, by table":  {table, running, func(j *resolve.Job) { j.Description = "x" }, false, hcl.DiagWarning},
		"created, and tabled": {table, nil, nil, false, hcl.DiagError},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			job := mounting(declared)
			snapshot := &planner.Snapshot{Permissions: tt.table}
			if tt.live != nil {
				hash, fields := planner.Hashes(job)
				live := &planner.LiveJob{Address: job.Address, Framework: "a", User: "alice", Workspace: "ws", Present: true, Hash: hash, Fields: fields, Applied: mounting(declared)}
				tt.live(live)
				snapshot.Jobs = append(snapshot.Jobs, live)
			}
			if tt.now != nil {
				tt.now(job)
			}
			job.NotPermitted = hcl.Diagnostics{hclspec.StorageNotPermitted.At(hcl.Range{}, "The storage is restricted.")}
			o := planner.Options{Workspace: "ws", Jobs: []*resolve.Job{job}, Live: map[string]*planner.Snapshot{"gpu": snapshot}}
			if tt.rerun {
				o.Rerun = []hclspec.Address{job.Address}
			}
			p := planner.New(o)
			if len(p.Diagnostics) == 0 {
				t.Fatal("no diagnostic")
			}
			for _, d := range p.Diagnostics {
				if d.Severity != tt.want {
					t.Errorf("%s: severity %d, want %d", d.Detail, d.Severity, tt.want)
				}
			}
			if job.NotPermitted[0].Severity != hcl.DiagError {
				t.Error("New changed the diagnostic of the job")
			}
		})
	}
}
