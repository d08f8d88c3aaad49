// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestArgumentsAreDistinguishedByTheirSpelling(t *testing.T) {
	t.Parallel()
	tests := map[string][]string{
		"path":    {"lab", ".", "..", "./job.train", "lab/", `lab\x`, "job.yaml", "JOB.YML", "job.pai.hcl", "job.pai.hcl.json", "marketplace://job/x", "job", "exp*", "train.txt", "job.a.b", "job.", "C:", "worker[x]", "worker[-1]"},
		"address": {"job.train", "job.ex*", "job.tr?in", `job.exp["a"]`, `job.exp["0.1"]`, `job["3dunet"]`, "job.Übung", "prerequisite.data.mnist", "storage.team", "storage.team.v2", "module.m.job.train", `module.m["a"].storage.x`, "module.m", `module.m["a"].module.n`, "module.m*"},
		"task":    {"worker[3]", "worker:3", "ps-a:0", "job:1"},
	}
	names := map[argumentKind]string{argumentPath: "path", argumentAddress: "address", argumentTask: "task"}
	for want, all := range tests {
		for _, a := range all {
			if got := names[kindOf(a)]; got != want {
				t.Errorf("%q is a %s, want a %s", a, got, want)
			}
		}
	}
}

func TestArgumentsAreOnePathOneTaskAndAddresses(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("job.there", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		args []string
		want chosenArguments
		err  string
	}{
		"nothing":             {nil, chosenArguments{}, ""},
		"any order":           {[]string{"job.a", "worker:3", "lab", "job.b"}, chosenArguments{path: "lab", addresses: []string{"job.a", "job.b"}, task: &taskArgument{"worker", 3}}, ""},
		"two paths":           {[]string{"a.yaml", "b.yaml"}, chosenArguments{}, "only one PATH is accepted, got 2: a.yaml b.yaml"},
		"two tasks":           {[]string{"w:0", "w[1]"}, chosenArguments{}, `unexpected task "w[1]": only one TASK is accepted`},
		"a file of that name": {[]string{"job.there"}, chosenArguments{}, `"job.there" is ambiguous: it is an address, but a file with that name exists; use ./job.there or --job there`},
		"a number too long":   {[]string{"w:99999999999999999999"}, chosenArguments{}, `invalid task "w:99999999999999999999": the index is too large`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := parseArguments(tt.args)
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Errorf("error %v, want %s", err, tt.err)
				}
				return
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(chosenArguments{}, taskArgument{})); diff != "" || err != nil {
				t.Errorf("(-want +got)\n%s, error %v", diff, err)
			}
		})
	}
}
