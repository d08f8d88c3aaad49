// SPDX-License-Identifier: MPL-2.0

package resolve_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// inModule returns a workspace with a job in the given module; "" is the root
// module.
func inModule(module hclspec.Address) *hclspec.Workspace {
	script := &hclspec.Prerequisite{Type: "script", Name: "start", Module: module}
	secret := &hclspec.Secret{Name: "token", Module: module, Env: "TOKEN"}
	script.Callbacks = []*hclspec.Callback{{Event: "taskStarts", Commands: []string{"login " + hclspec.SecretTag(secret.Reference())}}}
	storage := &hclspec.Storage{Name: "nfs", Module: module, Claim: "nfs"}
	ws := &hclspec.Workspace{
		Name: "lab", Prerequisites: []*hclspec.Prerequisite{script}, Secrets: []*hclspec.Secret{secret}, Storages: []*hclspec.Storage{storage},
		Jobs: []*hclspec.Job{{
			Label: "fit", Name: "fit", Module: module, Syntax: hclspec.SyntaxHCL,
			TaskRoles: []*hclspec.TaskRole{{
				Name: "worker", Instances: 1, Image: hclspec.Reference{Target: "busybox"},
				Prerequisites: []hclspec.Reference{{Target: script.Address().String()}},
				Storage:       []*hclspec.StorageUse{{Name: storage.Address().String()}},
				Commands:      []string{"train " + hclspec.SecretTag(secret.Reference())},
			}},
		}},
	}
	if module != "" {
		ws.Modules = []*hclspec.Module{{Name: "x"}}
	}
	return ws
}

func resolved(t *testing.T, ws *hclspec.Workspace) *resolve.Job {
	t.Helper()
	jobs, diags := resolve.All(resolve.Input{Workspace: ws, User: "alice"})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return jobs[0]
}

func TestAJobIsTheSameInAnotherModule(t *testing.T) {
	t.Parallel()
	want, wantFields := planner.Hashes(resolved(t, inModule("")))
	for _, module := range []hclspec.Address{"module.x", `module.x["a"].module.y`} {
		got, fields := planner.Hashes(resolved(t, inModule(module)))
		if diff := cmp.Diff(wantFields, fields); diff != "" || got != want {
			t.Errorf("in %s (-root +module)\n%s", module, diff)
		}
	}
}

func TestSecretsAndStoragesOfTwoModulesKeepApart(t *testing.T) {
	t.Parallel()
	ws := inModule("module.x")
	outer := &hclspec.Secret{Name: "token", Env: "OUTER"}
	ws.Secrets = append(ws.Secrets, outer)
	ws.Storages = append(ws.Storages, &hclspec.Storage{Name: "nfs", Claim: "other"})
	role := ws.Jobs[0].TaskRoles[0]
	role.Commands = append(role.Commands, "upload "+hclspec.SecretTag(outer.Reference()))
	role.Storage = append(role.Storage, &hclspec.StorageUse{Name: "storage.nfs", MountPath: "/outer"})
	job := resolved(t, ws)
	got := map[string]any{"commands": job.TaskRoles[0].Commands, "secrets": job.TaskRoles[0].Secrets}
	for _, m := range job.TaskRoles[0].Mounts {
		got[m.Path] = []string{m.Storage, m.Declared.Claim}
	}
	want := map[string]any{
		"commands": []string{"train <% $secrets.token %>", "upload <% $secrets.root.token %>"},
		"secrets":  []string{"root.token", "token"},
		"/mnt/nfs": []string{"nfs", "nfs"}, "/outer": []string{"root.nfs", "other"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, s := range job.Secrets {
		if found := resolve.FindSecret(ws, job.Address, s.Name); found != s.Declared {
			t.Errorf("%s is %v, want %v", s.Name, found, s.Declared)
		}
	}
	if role.Commands[0] == job.TaskRoles[0].Commands[0] {
		t.Error("the declared job was changed")
	}
}
