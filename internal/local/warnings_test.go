// SPDX-License-Identifier: MPL-2.0

package local

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func codes(diags hcl.Diagnostics) string {
	var all []string
	for _, d := range diags {
		all = append(all, hclspec.Code(d))
	}
	return strings.Join(all, " ")
}

func TestUnsuitableFieldsAreWarnings(t *testing.T) {
	t.Parallel()
	mounted := func(commands string) *resolve.TaskRole {
		r := newRole("worker", commands)
		onStorage(r, "nfs", "data", "/mnt/nfs", false)
		return r
	}
	here := machine{gpus: 0, cpus: 4, memoryMB: 8192, canMount: func() bool { return true }}
	bare := here
	bare.canMount = func() bool { return false }
	for name, test := range map[string]struct {
		role    func() *resolve.TaskRole
		machine machine
		want    string
	}{
		"a plain role": {func() *resolve.TaskRole { return newRole("worker", "true") }, here, ""},
		"an image is not used": {func() *resolve.TaskRole {
			r := newRole("worker", "true")
			r.Image.URI = "busybox"
			return r
		}, here, "local-image-ignored"},
		"all instances count": {func() *resolve.TaskRole {
			r := newRole("worker", "true")
			r.Instances = 5
			return r
		}, here, "local-resources-capped"},
		"more GPUs than the machine has": {func() *resolve.TaskRole {
			r := newRole("worker", "true")
			r.GPU = 1
			return r
		}, here, "local-resources-capped"},
		"ssh works": {func() *resolve.TaskRole {
			r := newRole("worker", "true")
			r.Steps = []*resolve.Step{{Plugin: "ssh"}}
			return r
		}, here, ""},
		"a package manager in a callback": {func() *resolve.TaskRole {
			r := newRole("worker", "true")
			r.Steps = []*resolve.Step{{Callbacks: []*resolve.Callback{{Commands: []string{"apt-get update && sudo apt-get install -y jq"}}}}}
			return r
		}, here, "local-package-manager"},
		"a claim is not a directory": {func() *resolve.TaskRole {
			r := newRole("worker", "true")
			r.Mounts = []*resolve.Mount{{Storage: "nfs", Path: "/mnt/nfs", Declared: &hclspec.Storage{Name: "nfs", Claim: "nfs"}}}
			return r
		}, here, "local-storage-kind"},
		"an undeclared storage of a cluster": {func() *resolve.TaskRole {
			r := newRole("worker", "true")
			r.Mounts = []*resolve.Mount{{Storage: "nfs", Path: "/mnt/nfs"}}
			return r
		}, here, "local-storage-kind"},
		"mounts are possible":                                 {func() *resolve.TaskRole { return mounted("ls /mnt/nfs") }, here, ""},
		"no mounts, and a command contains the path":          {func() *resolve.TaskRole { return mounted("ls /mnt/nfs") }, bare, "local-mount-impossible"},
		"no mounts, and a command contains only the variable": {func() *resolve.TaskRole { return mounted("ls $PAI_STORAGE_NFS") }, bare, "local-mount-by-variable"},
		"no mounts, and the storage is in place":              {func() *resolve.TaskRole { r := newRole("w", "ls /d"); onStorage(r, "d", "/d", "/d", false); return r }, bare, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			job := newJob("diagnostics", test.role())
			if got := codes((&jobChecker{job, test.machine, nil}).all()); got != test.want {
				t.Errorf("diagnostics %q, want %q", got, test.want)
			}
		})
	}
}

func TestPackageManagersAreFirstWords(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"apt-get install -y jq":                       "apt-get",
		"if true; then DEBIAN_FRONTEND=x apt update;": "apt",
		"(cd /x && /sbin/apk add git)":                "apk",
		"echo apt install":                            "",
		"python yum.py":                               "",
		"grep apt file | yum makecache":               "yum",
	} {
		if got := strings.Join(packageManagers(command), " "); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

func TestDiagnosticsNameTheJobAndAreTexts(t *testing.T) {
	t.Parallel()
	role := newRole("worker", "apt update")
	role.GPU, role.Image.URI = 8, "pytorch/pytorch"
	for _, d := range (&jobChecker{newJob("texts", role), machine{cpus: 1, memoryMB: 1}, nil}).all() {
		if !strings.Contains(d.Detail, "job.texts") || strings.Contains(d.Detail, "%!") || strings.Contains(d.Detail, "<nil>") {
			t.Errorf("%s: %s", d.Summary, d.Detail)
		}
	}
}

func TestDiagnosticsHaveTheirPlace(t *testing.T) {
	t.Parallel()
	role := newRole("worker", "apt update")
	job := newJob("placed", role)
	path := hclspec.Path(`job.placed`)
	job.Declared = &hclspec.Job{Path: path, TaskRoles: []*hclspec.TaskRole{{Name: "worker", Path: path.Attr("task_role").Key("worker")}}}
	want := hcl.Range{Filename: "a.pai.hcl", Start: hcl.Pos{Line: 7}}
	sources := hclspec.SourceMap{path.Attr("task_role").Key("worker").Attr("commands"): want}
	diags := (&jobChecker{job, machine{cpus: 9, memoryMB: 999}, sources}).all()
	if len(diags) != 1 || diags[0].Subject == nil || *diags[0].Subject != want {
		t.Errorf("diagnostics %+v", diags)
	}
}
