// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"archive/tar"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// TestFetchNamesWorkspaceFilesByTheirDeclaredPath checks that records and errors
// contain the declared path, which is the same on all machines.
func TestFetchNamesWorkspaceFilesByTheirDeclaredPath(t *testing.T) {
	t.Parallel()
	content := []byte("sepal,petal\n1,2\n")
	packed := tarOf(t, &tar.Header{Name: "a", Mode: 0o644})
	for name, c := range map[string]struct {
		fetch runspec.Fetch
		want  []exitspec.Fetched
		why   string // of the failure
	}{
		"a file": {
			runspec.Fetch{URL: "iris.csv", To: "x"},
			[]exitspec.Fetched{{URL: "iris.csv", SHA256: sumOf(content), Bytes: int64(len(content))}}, "",
		},
		"a file with a declared hash": {
			runspec.Fetch{URL: "iris.csv", To: "x", SHA256: sumOf(content)},
			[]exitspec.Fetched{{URL: "iris.csv", SHA256: sumOf(content), Bytes: int64(len(content))}}, "",
		},
		"an archive": {
			runspec.Fetch{URL: "data/set.tar", To: "set", Extract: true},
			[]exitspec.Fetched{{URL: "data/set.tar", SHA256: sumOf(packed), Bytes: int64(len(packed))}}, "",
		},
		"another hash":               {runspec.Fetch{URL: "iris.csv", To: "x", SHA256: sumOf(nil)}, nil, "iris.csv: the content has the sha256"},
		"a file that does not exist": {runspec.Fetch{URL: "data/none", To: "x"}, nil, "data/none: the file does not exist"},
		"a name that is too long":    {runspec.Fetch{URL: strings.Repeat("x", 300), To: "x"}, nil, "xx: file name too long"},
		"a file outside":             {runspec.Fetch{URL: "../iris.csv", To: "x"}, nil, "../iris.csv: the path must be inside the workspace directory"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "true")
			r.config.FetchDir = filepath.Join(r.dir, "lab")
			if err := os.MkdirAll(filepath.Join(r.config.FetchDir, "data"), 0o755); err != nil {
				t.Fatal(err)
			}
			r.source("lab/iris.csv", content)
			r.source("lab/data/set.tar", packed)
			r.step("data").Fetch = []runspec.Fetch{c.fetch}
			record := r.run()
			for i := range record.Fetched {
				record.Fetched[i].Step = ""
			}
			if diff := cmp.Diff(c.want, record.Fetched); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if !strings.Contains(record.Reason, c.why) || (record.Code == 0) != (c.why == "") || strings.Contains(record.Reason, r.dir) {
				t.Errorf("code %d, reason %q", record.Code, record.Reason)
			}
		})
	}
}
