// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func mountsOf(uses ...hclspec.StorageUse) func(*hclspec.Job, *hclspec.TaskRole) {
	return func(j *hclspec.Job, r *hclspec.TaskRole) {
		for _, u := range uses {
			u.Path = r.Path
			r.Storage = append(r.Storage, &u)
		}
	}
}

func TestStoragesOfJobRoleAndPrerequisitesMerge(t *testing.T) {
	t.Parallel()
	pvc := prerequisite("storage", "confignfs_pvc")
	pvc.Plugin, pvc.Parameters = "pvc_storage", map[string]any{"name": "confignfs", "mountPath": "{{ at }}"}
	pvc.TemplateVariables = []*hclspec.TemplateVariable{{Name: "at"}}
	rest := prerequisite("storage", "rest")
	rest.Plugin, rest.Parameters = "com.microsoft.pai.rest.storage", map[string]any{"config": "c", "mountPoint": "/c/<% $parameters.p %>"}
	data := prerequisite("data", "imagenet")
	data.Require = []hclspec.Reference{{Target: "confignfs_pvc", With: map[string]any{"at": "/mnt/pvc"}}}
	data.RequireStorages = []*hclspec.StorageUse{{Name: "storage.nfs", MountPath: "/mnt/nfs/", ReadOnly: true}}
	job := jobOf(uses("imagenet", "rest"), parameters(map[string]any{"p": "x"}),
		mountsOf(hclspec.StorageUse{Name: "nfs"}, hclspec.StorageUse{Name: "ro", MountPath: "/a"}),
		func(j *hclspec.Job, _ *hclspec.TaskRole) { j.Storage = []*hclspec.StorageUse{{Name: "nfs"}} })
	ws := workspace([]*hclspec.Prerequisite{pvc, data, rest}, job)
	ro := &hclspec.Storage{Name: "ro", ReadOnly: true}
	nfs := &hclspec.Storage{Name: "nfs", Users: []string{"alice"}}
	config, c := &hclspec.Storage{Name: "confignfs"}, &hclspec.Storage{Name: "c", Users: []string{"bob"}, Groups: []string{"all"}}
	ws.Storages = []*hclspec.Storage{ro, nfs, config, c}
	want := []*Mount{
		{Storage: "ro", Path: "/a", ReadOnly: true, By: []string{`job.j.task_role["worker"]`}, Declared: ro},
		{Storage: "c", Path: "/c/x", By: []string{"prerequisite.storage.rest"}, Declared: c},
		{Storage: "nfs", Path: "/mnt/nfs", By: []string{"job.j", `job.j.task_role["worker"]`, "prerequisite.data.imagenet"}, Declared: nfs},
		{Storage: "confignfs", Path: "/mnt/pvc", By: []string{`prerequisite.storage.confignfs_pvc{at="/mnt/pvc"}`}, Declared: config},
	}
	if diff := cmp.Diff(want, resolveOne(t, ws).TaskRoles[0].Mounts); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestAStorageNameIsNotAPath(t *testing.T) {
	t.Parallel()
	_, diags := All(Input{Workspace: workspace(nil, jobOf(protocol, mountsOf(hclspec.StorageUse{Name: "../x"})))})
	want := `invalid-storage-name 101: Task role "worker" mounts the storage "../x". A storage name must consist of at most 255 letters, digits, hyphens, underscores and dots, and must begin and end with a letter, digit or underscore.`
	if diff := cmp.Diff(want, strings.TrimSpace(diagnostics(diags))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestANameThatIsNotDeclaredIsAClaimInProtocolJobs(t *testing.T) {
	t.Parallel()
	jobs, diags := All(Input{Workspace: workspace(nil, jobOf(protocol, mountsOf(hclspec.StorageUse{Name: "confignfs"})))})
	if len(diags) > 0 {
		t.Fatal(diagnostics(diags))
	}
	want := []*Mount{{Storage: "confignfs", Path: "/mnt/confignfs", By: []string{`job.j.task_role["worker"]`}}}
	if diff := cmp.Diff(want, jobs[0].TaskRoles[0].Mounts); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestProblemsOfStoragesAndMountsAreReported(t *testing.T) {
	t.Parallel()
	outer, inner := script("outer", "inner"), script("inner")
	inner.RequireStorages = []*hclspec.StorageUse{{Name: "other", MountPath: "/mnt/nfs", Path: inner.Path}}
	pvc := script("pvc")
	pvc.Plugin = "pvc_storage"
	for name, c := range map[string]struct {
		job  *hclspec.Job
		want string
	}{
		"two storages at one path": {
			jobOf(uses("outer"), mountsOf(hclspec.StorageUse{Name: "nfs"})),
			`storage-conflict 2: In task role "worker", the storages "nfs" and "other" have the same mount path /mnt/nfs: "nfs" is requested by task role "worker", "other" by prerequisite.script.inner, required by prerequisite.script.outer.`},
		"a storage that is not declared": {
			jobOf(mountsOf(hclspec.StorageUse{Name: "nsf"})),
			`unknown-storage 101: Task role "worker" mounts the storage "nsf", but the workspace declares "nfs", "other", "private". Did you mean "nfs"? To use an existing claim, declare storage "nsf" { claim = "nsf" }.`},
		"a storage that is restricted to another user": {
			jobOf(mountsOf(hclspec.StorageUse{Name: "private"})),
			`storage-not-permitted 101: The storage "private" is restricted to "bob", but the user of job.j is "alice". The mount is requested by task role "worker".`},
		"a path that is not absolute": {
			jobOf(mountsOf(hclspec.StorageUse{Name: "nfs", MountPath: "mnt"})),
			`invalid-mount-path 101: Task role "worker" mounts the storage "nfs" at "mnt", which is not absolute.`},
		"a path of the runtime": {
			jobOf(mountsOf(hclspec.StorageUse{Name: "nfs", MountPath: "/usr/local/pai/x/.."})),
			`invalid-mount-path 101: Task role "worker" mounts the storage "nfs" at "/usr/local/pai/x/..", which belongs to the runtime.`},
		"a path over the runtime": {
			jobOf(mountsOf(hclspec.StorageUse{Name: "nfs", MountPath: "/"})),
			`invalid-mount-path 101: Task role "worker" mounts the storage "nfs" at "/", which would hide /usr/local/pai, the runtime directory.`},
		"a mount within another": {
			jobOf(mountsOf(hclspec.StorageUse{Name: "nfs", MountPath: "/d"}, hclspec.StorageUse{Name: "other", MountPath: "/d/e"}, hclspec.StorageUse{Name: "other", MountPath: "/da"})),
			`nested-mount 101: In task role "worker", the storage "other" at /d/e is inside the storage "nfs" at /d and hides a part of it.`},
		"a nested mount is reported once": {
			jobOf(mountsOf(hclspec.StorageUse{Name: "nfs", MountPath: "/d"}, hclspec.StorageUse{Name: "other", MountPath: "/d/e"}, hclspec.StorageUse{Name: "nfs", MountPath: "/d/e/f"})),
			`nested-mount 101: In task role "worker", the storage "other" at /d/e is inside the storage "nfs" at /d and hides a part of it.` + "\n" +
				`nested-mount 101: In task role "worker", the storage "nfs" at /d/e/f is inside the storage "other" at /d/e and hides a part of it.`},
		"a storage plugin without a name": {
			jobOf(uses("pvc")),
			`storage-plugin-parameter 3: prerequisite.script.pvc uses the plugin pvc_storage, whose parameter "name" must be the name of a storage.`},
		"default storages": {
			jobOf(func(j *hclspec.Job, _ *hclspec.TaskRole) { j.DefaultStorages = true }),
			`default-storages-unknown 101: job.j requests the default storages of its user. Only an OpenPAI server defines them, so openpai does not mount them. List the required storages.`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws := workspace([]*hclspec.Prerequisite{outer, inner, pvc}, c.job)
			ws.Storages = []*hclspec.Storage{{Name: "nfs"}, {Name: "other"}, {Name: "private", Users: []string{"bob"}}}
			_, diags := All(Input{Workspace: ws, User: "alice"})
			if diff := cmp.Diff(c.want, strings.TrimSpace(diagnostics(diags))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
