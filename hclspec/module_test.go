// SPDX-License-Identifier: MPL-2.0

package hclspec_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestAnAddressIsSplitAtItsModule(t *testing.T) {
	t.Parallel()
	tests := map[hclspec.Address]struct {
		module, local hclspec.Address
		parts         []string
	}{
		"job.mnist":                        {"", "job.mnist", nil},
		"module.x.job.mnist":               {"module.x", "job.mnist", []string{"x"}},
		`module.x["a.b"].job.mnist["c"]`:   {`module.x["a.b"]`, `job.mnist["c"]`, []string{"x", "a.b"}},
		`module.x.module.y["a"].storage.n`: {`module.x.module.y["a"]`, "storage.n", []string{"x", "y", "a"}},
		"module.module.module.job.job.job": {"module.module.module.job", "job.job", []string{"module", "job"}},
		`module.x["a"]`:                    {`module.x["a"]`, "", []string{"x", "a"}},
		`prerequisite.data["module.x.y"]`:  {"", `prerequisite.data["module.x.y"]`, nil},
		"module.":                          {"", "module.", nil},
	}
	for address, want := range tests {
		t.Run(address.String(), func(t *testing.T) {
			t.Parallel()
			module, local := address.Split()
			if diff := cmp.Diff([]any{want.module, want.local, want.parts}, []any{module, local, address.ModuleParts()}); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if local != "" && local.In(module) != address {
				t.Errorf("joined again it is %s", local.In(module))
			}
		})
	}
}

func TestAModuleMatchesEverythingInIt(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[hclspec.Address]bool{
		"module.x": true, `module.x["a"]`: true, `module.x["a"].job.fit`: true, "module.*.job.fit": true,
		"module.y": false, `module.x["b"]`: false, "module.x.job.fit": false, "job.fit": false, "module": false,
	} {
		if got := hclspec.Address(`module.x["a"].job.fit`).Matches(pattern); got != want {
			t.Errorf("%s: got %t, want %t", pattern, got, want)
		}
	}
}

func TestModuleCallHasNoKeys(t *testing.T) {
	t.Parallel()
	for address, want := range map[hclspec.Address]hclspec.Address{
		"module.x": "module.x", `module.x["a"]`: "module.x", `module.x["a.b"].module.y["c"]`: "module.x.module.y",
		`module.x["a"].job.fit["b"]`: "module.x", "job.fit": "", "": "",
	} {
		if got := address.ModuleCall(); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

// FuzzAddressSplit checks that Split is the inverse of In. No method may panic,
// because records may contain addresses that other programs wrote.
func FuzzAddressSplit(f *testing.F) {
	for _, seed := range []string{"job.a", `module.x["a\"]"].job.b`, `module.x["`, "module..", "module.x[1].job.a", `module.["a"]`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		address := hclspec.Address(text)
		module, local := address.Split()
		if local != "" && local.In(module) != address {
			t.Errorf("%q is split into %q and %q", text, module, local)
		}
		_ = address.ModuleParts()
		_ = address.Matches("module.x")
	})
}
