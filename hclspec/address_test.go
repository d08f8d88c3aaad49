// SPDX-License-Identifier: MPL-2.0

package hclspec

import "testing"

func TestAddressesQuoteNamesThatAreNotIdentifiers(t *testing.T) {
	t.Parallel()
	for want, got := range map[Address]Address{
		"job.mnist":                      NewAddress("job", "mnist"),
		`job.train["a"]`:                 NewAddress("job", `train["a"]`),
		`job["3d"]`:                      NewAddress("job", "3d"),
		"prerequisite.data.mnist":        (&Prerequisite{Type: "data", Name: "mnist"}).Address(),
		`prerequisite.data["3dunet"]`:    (&Prerequisite{Type: "data", Name: "3dunet"}).Address(),
		"prerequisite.data.step-1":       NewAddress("prerequisite", "data", "step-1"),
		`prerequisite.data["a.b"]`:       NewAddress("prerequisite", "data", "a.b"),
		`prerequisite.data["say \"x\""]`: NewAddress("prerequisite", "data", `say "x"`),
		"storage.nfs":                    (&Storage{Name: "nfs"}).Address(),
		"cluster.gpu":                    (&Cluster{Name: "gpu"}).Address(),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestAPatternMatchesAddresses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		pattern, address Address
		want             bool
	}{
		"the same":                              {"job.exp", "job.exp", true},
		"an instance":                           {"job.exp", `job.exp["a"]`, true},
		"values of a prerequisite":              {"prerequisite.data.x", `prerequisite.data.x{p="1"}`, true},
		"a prefix of a name":                    {"job.ex", "job.exp", false},
		"any characters":                        {"job.e*", `job.exp["a"]`, true},
		"no characters":                         {"job.exp*", "job.exp", true},
		"one character":                         {"job.ex?", "job.exp", true},
		"an instance of a matching declaration": {"job.ex?", `job.exp["a"]`, true},
		"a missing character":                   {"job.exp?", "job.exp", false},
		"brackets match literally":              {`job.exp["a*"]`, `job.exp["ab"]`, true},
		"brackets are not a character class":    {"job.[a-z]*", "job.exp", false},
		"a dot matches literally":               {"storage.a.*", "storage.axb", false},
		"a longer name with the same prefix":    {"job.*p", "job.export", false},
	}
	for name, tt := range tests {
		if got := tt.address.Matches(tt.pattern); got != tt.want {
			t.Errorf("%s: %s matches %s: %t", name, tt.pattern, tt.address, got)
		}
	}
}

func TestTheDeclarationOfAnInstanceHasNoKey(t *testing.T) {
	t.Parallel()
	for address, want := range map[Address]Address{
		"":                            "",
		"job.exp":                     "job.exp",
		`job.exp["a"]`:                "job.exp",
		`job["3d"]`:                   `job["3d"]`,
		`job["3d"]["a"]`:              `job["3d"]`,
		`module.m["x"].job["3d"]`:     `module.m["x"].job["3d"]`,
		`module.m["x"].job.exp["a"]`:  `module.m["x"].job.exp`,
		"prerequisite.data.set":       "prerequisite.data.set",
		`prerequisite.data["3d"]`:     `prerequisite.data["3d"]`,
		`prerequisite.data.set["3d"]`: "prerequisite.data.set",
	} {
		if got := address.Declaration(); got != want {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
}
