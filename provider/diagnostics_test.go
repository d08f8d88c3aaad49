// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestARestrictedStorageSaysHowToDestroyTheJob(t *testing.T) {
	t.Parallel()
	found := withDestroy(hcl.Diagnostics{hclspec.StorageNotPermitted.At(hcl.Range{}, "The storage is restricted.")})
	if want := "The storage is restricted. To destroy the job instead, use destroy with -refresh=false."; found[0].Detail != want {
		t.Errorf("%s", found[0].Detail)
	}
}

// Terraform shows only one of several warnings with the same title, so each
// title must contain the job.
func TestWarningsAboutRunningWorkNameTheJobInTheirTitle(t *testing.T) {
	t.Parallel()
	secret := func(value string) tree {
		return tree{"gang_allocation": false, "environment": tree{"TOKEN": "<% $secrets.token %>"}, "secrets_wo": tree{"token": value}}
	}
	i, config := running(t, t.TempDir(), secret(canary))
	changed := job(nil, config, secret(canary+"2"))
	for name, tt := range map[string]struct {
		config tree
		want   []string
	}{
		"another command": {worker(clone(config), tree{"commands": []string{"sleep 1001"}}), []string{"warning: job.mnist is replaced: 1 running task ends: Reason: "}},
		"another secret":  {changed, []string{"warning: job.mnist is replaced: 1 running task ends: Reason: ", "a secret changed"}},
		"another task":    {worker(clone(config), tree{"instances": 2}), []string{"warning: job.mnist is changed in place: ", "1 task of worker is added"}},
		"a destroy":       {nil, []string{"warning: job.mnist is destroyed: 1 running task ends: Reason: "}},
	} {
		p := i.plan(tt.config)
		for _, want := range tt.want {
			if !strings.Contains(p.diagnostics, want) {
				t.Errorf("%s: no %q in\n%s", name, want, p.diagnostics)
			}
		}
		if strings.Contains(p.diagnostics, canary) {
			t.Errorf("%s: a warning contains the secret\n%s", name, p.diagnostics)
		}
	}
}
