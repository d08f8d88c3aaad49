// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import "testing"

func TestAProviderBlockThatCannotBeUsedIsRefused(t *testing.T) {
	t.Setenv("OPENPAI_USER", "")
	t.Setenv("OPENPAI_WORKSPACE", "")
	block := func(blocks string) string {
		return preamble + "provider \"openpai\" {\n" + blocks + "\n}\ndata \"openpai_cluster\" \"test\" {}\n"
	}
	testRefusals(t, map[string]refusal{
		"both clusters": {block("local {}\nkubernetes {\n  user = \"alice\"\n  workspace = \"team\"\n}"), "Two clusters"},
		"no user":       {block(`kubernetes { workspace = "team" }`), "Cluster block has no user"},
		"no workspace":  {block(`kubernetes { user = "alice" }`), "Workspace has no name"},
	})
}
