// SPDX-License-Identifier: MPL-2.0

//go:build unix

package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// FuzzObject checks that the store never returns the status of a different
// Framework.
func FuzzObject(f *testing.F) {
	f.Add([]byte(`{"metadata":{"name":"x","uid":"u"},"spec":{"taskRoles":[{"name":"a","taskNumber":1}]}}`), []byte(`{"uid":"u","status":{}}`))
	f.Add([]byte(`{"metadata":{"uid":"u"},"status":{"state":"Completed"}}`), []byte(`{"uid":"v"}`))
	f.Add([]byte(`null`), []byte(`{"uid":"","status":null}`))
	f.Add([]byte(`{`), []byte(``))
	f.Fuzz(func(t *testing.T, spec, status []byte) {
		o := Object{Dir: t.TempDir(), Name: "x"}
		for name, text := range map[string][]byte{o.SpecFile(): spec, o.StatusFile(): status} {
			if err := os.WriteFile(name, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		fw, _, err := o.Load()
		if err != nil {
			return
		}
		var seen ObservedStatus
		if err := ReadJSON(o.StatusFile(), &seen); err != nil || fw.Status != nil && seen.UID != fw.Metadata.UID {
			t.Errorf("the status %+v of the Framework %q belongs to %q (%v)", fw.Status, fw.Metadata.UID, seen.UID, err)
		}
	})
}

// FuzzRecord checks that every readable record has a known version, and can be
// written and read again.
func FuzzRecord(f *testing.F) {
	f.Add([]byte(`{"version":1,"address":"job.a","workspace":"w","framework":"x"}`))
	f.Add([]byte(`{"version":99}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := cluster.DecodeRecord(text)
		if err != nil {
			return
		}
		if r.Version > cluster.RecordVersion {
			t.Fatalf("version %d is read", r.Version)
		}
		name := filepath.Join(t.TempDir(), "record.json")
		if err := WriteJSON(name, r); err != nil {
			t.Fatalf("a decoded document cannot be encoded: %v", err)
		}
		var again cluster.Record
		if err := ReadJSON(name, &again); err != nil {
			t.Fatalf("an encoded document cannot be decoded: %v", err)
		}
	})
}
