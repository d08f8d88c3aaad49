// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDamagedRecordsCanBeListedAndRemoved(t *testing.T) {
	t.Parallel()
	d := recordDirectory{t.TempDir(), "runs"}
	for _, name := range []string{"module.x%5B%22a%22%5D.job.fit/3-0123abcd.json", "notes/4-0123abcd.json", "notes/README.json"} {
		file := filepath.Join(d.root, d.name, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(`{"version": 9}`), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	all := d.damaged()
	var got []string
	for _, r := range all {
		got = append(got, string(r.Address)+" "+r.Short)
		if r.Problem.Version != 9 {
			t.Errorf("%s: version %d", r.Problem.Name, r.Problem.Version)
		}
		if err := r.Remove(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff([]string{`module.x["a"].job.fit 0123abcd`, "notes 0123abcd"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if left := d.list(); len(left) != 1 || len(d.damaged()) > 0 {
		t.Errorf("left: %v", left)
	}
}
