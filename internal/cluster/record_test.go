// SPDX-License-Identifier: MPL-2.0

package cluster_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// For both clusters, encoding a decoded record must return the stored bytes.
func TestStoredRecordsKeepTheirBytes(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "records", "*.json"))
	if err != nil || len(files) < 4 {
		t.Fatalf("%d records: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r, err := cluster.DecodeRecord(text)
			if err != nil {
				t.Fatal(err)
			}
			again, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(filepath.Base(file), "local") {
				var indented bytes.Buffer
				if err := json.Indent(&indented, again, "", "  "); err != nil {
					t.Fatal(err)
				}
				again = indented.Bytes()
			}
			if diff := cmp.Diff(strings.TrimSpace(string(text)), string(again)); diff != "" {
				t.Errorf("(-stored +written again)\n%s", diff)
			}
		})
	}
}

func TestARecordOfALaterVersionIsNotRead(t *testing.T) {
	t.Parallel()
	if _, err := cluster.DecodeRecord([]byte(`{"version":2}`)); !errors.Is(err, cluster.ErrLaterRecord) {
		t.Errorf("error %v", err)
	}
}

func TestTheRecordReturnsWrittenNamesOfTaskRoles(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ record, want string }{
		"recorded name":           {`{"role_names":{"ps1":"PS_1"}}`, "PS_1"},
		"name in the applied job": {`{"applied":{"task_roles":[{"name":"PS_1","framework_name":"ps1"}]}}`, "PS_1"},
		"unknown role":            {`{}`, "ps1"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := cluster.DecodeRecord([]byte(tt.record))
			if err != nil {
				t.Fatal(err)
			}
			if got := r.WrittenName("ps1"); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestTheDeclarerOfARecordIsRecognized(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		record, declaration string
		want                planner.Declarer
	}{
		"recorded front end":              {`{"declared_by":"openpai"}`, "{}", planner.DeclaredByCommandLine},
		"declaration without a front end": {`{}`, "{}", planner.DeclaredByTerraform},
		"older record without either":     {`{}`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := cluster.DecodeRecord([]byte(tt.record))
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Declarer([]byte(tt.declaration)); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
