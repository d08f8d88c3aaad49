// SPDX-License-Identifier: MPL-2.0

package terraformplan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const plan = `{"format_version": "1.2", "planned_values": {}, "resource_changes": [
	{"address": "openpai_job.a[0]", "type": "openpai_job", "name": "a", "change": {"actions": ["create"]}},
	{"address": "module.m[\"x.y\"].openpai_job.b", "module_address": "module.m[\"x.y\"]", "type": "openpai_job", "name": "b", "change": {"actions": ["no-op"]}},
	{"address": "openpai_job.c", "type": "openpai_job", "name": "c", "change": {"actions": ["delete"]}},
	{"address": "openpai_job.d", "type": "openpai_job", "name": "d", "change": {"actions": ["create"]}}
], "deferred_changes": [{}], "configuration": {
	"provider_config": {
		"openpai": {"name": "openpai", "expressions": {"local": {}}},
		"openpai.gpu": {"name": "openpai", "alias": "gpu", "expressions": {"kubernetes": {}}},
		"openpai.limited": {"name": "openpai", "alias": "limited", "expressions": {"kubernetes": {
			"exec": {"command": {"constant_value": "login"}}, "max_run_time": {"constant_value": "2h"}, "max_wait_time": {"references": ["var.wait"]}
		}}}
	},
	"root_module": {
		"resources": [{"address": "openpai_job.a", "provider_config_key": "openpai"}, {"address": "openpai_job.d", "provider_config_key": "openpai.limited"}],
		"module_calls": {"m": {"module": {"resources": [{"address": "openpai_job.b", "provider_config_key": "openpai.gpu"}]}}}
	}
}}`

func TestEachResourceHasItsProviderBlock(t *testing.T) {
	t.Parallel()
	p, err := Read(strings.NewReader(plan))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]ProviderBlock{}
	for _, c := range p.Changes {
		got[c.Address] = c.Provider
	}
	want := map[string]ProviderBlock{
		"openpai_job.a[0]":              {},
		`module.m["x.y"].openpai_job.b`: {Alias: "gpu", Kubernetes: true},
		"openpai_job.c":                 {}, // no longer configured
		"openpai_job.d":                 {Alias: "limited", Kubernetes: true, MaxRunTime: "2h"},
	}
	if diff := cmp.Diff(want, got); diff != "" || p.Deferred != 1 {
		t.Errorf("deferred %d (-want +got):\n%s", p.Deferred, diff)
	}
}

func TestOtherFilesAreErrors(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"an empty file":         {"", "it is empty"},
		"HCL":                   {"resource {}", "byte 1 is not JSON"},
		"a truncated file":      {plan[:100], "it ends unexpectedly"},
		"a list":                {"[]", "has the wrong type"},
		"another object":        {"{}", `it is not the output of "terraform show -json PLANFILE"`},
		"a plan file":           {"PK\x03\x04...", "a binary Terraform plan file"},
		"a state":               {`{"format_version": "1.0", "values": {}}`, "it is a state"},
		"messages of a plan":    {`{"@level":"info"}` + "\n" + `{"@level":"info"}`, `the output of "terraform plan -json"`},
		"a later format":        {`{"format_version": "2.0", "planned_values": {}}`, `the unsupported format version "2.0"`},
		"a plan with an error":  {`{"format_version": "1.2", "planned_values": {}, "errored": true}`, "planning failed"},
		"a change that is null": {`{"format_version": "1.2", "planned_values": {}, "resource_changes": [null]}`, "the change 0 has no address"},
		"a secret":              {`{"format_version": "1.2", "planned_values": {}, "errored": "hunter2"}`, "errored has the wrong type"},
	}
	for name, tt := range tests {
		_, err := Read(strings.NewReader(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

// FuzzDecode checks that decoding any input returns either a plan or an
// error.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(plan))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := decode(text)
		if err != nil {
			return
		}
		for _, c := range p.Changes {
			if c.Address == "" || len(c.Values.Actions) == 0 {
				t.Errorf("a change without an address or actions: %+v", c)
			}
		}
	})
}
