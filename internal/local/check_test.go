// SPDX-License-Identifier: MPL-2.0

package local

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

func TestChecksOfTheMachineReportMissingParts(t *testing.T) {
	t.Parallel()
	only := func(there ...string) func(string) (string, error) {
		return func(name string) (string, error) {
			if slices.Contains(there, name) {
				return "/bin/" + name, nil
			}
			return "", exec.ErrNotFound
		}
	}
	tests := map[string]struct {
		got  cluster.CheckResult
		want cluster.Result
	}{
		"bash is in PATH":          {checkShell(only("bash", "sh")), cluster.ResultOK},
		"only sh is in PATH":       {checkShell(only("sh")), cluster.ResultWarning},
		"no shell is in PATH":      {checkShell(only()), cluster.ResultMissing},
		"mounts are permitted":     {checkMounts(true), cluster.ResultOK},
		"mounts are refused":       {checkMounts(false), cluster.ResultWarning},
		"the size does not matter": {checkMachine(), cluster.ResultOK},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.got.Result != tt.want || tt.got.Found == "" || tt.got.Advice.Empty() != (tt.want == cluster.ResultOK) {
				t.Errorf("%+v", tt.got)
			}
		})
	}
}

func TestChecksHaveAnOrderAndWriteNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := c.Check(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range found {
		names = append(names, f.Check)
	}
	if diff := cmp.Diff([]string{"machine", "directory", "shell", "mounts"}, names); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if remaining, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(remaining) > 0 {
		t.Errorf("%v %v", remaining, err)
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if f := c.checkDirectory(); f.Result != cluster.ResultMissing {
		t.Errorf("%+v", f)
	}
}
