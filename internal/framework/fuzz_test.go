// SPDX-License-Identifier: MPL-2.0

package framework

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func gzipped(t testing.TB, text []byte) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// Roles must reject an invalid compressed status. A valid compressed status
// must yield the statuses of its uncompressed form.
func FuzzRoles(f *testing.F) {
	f.Add([]byte(`[{"name":"worker","taskStatuses":[{"index":0,"state":"TaskCompleted"}]}]`), []byte("\x1f\x8b\x08"))
	f.Add([]byte(`null`), gzipped(f, []byte("[]")))
	f.Fuzz(func(t *testing.T, text, packed []byte) {
		_, _ = (&AttemptStatus{TaskRoleStatusesCompressed: packed}).Roles() // must not panic
		var plain []TaskRoleStatus
		plainErr := json.Unmarshal(text, &plain)
		got, err := (&AttemptStatus{TaskRoleStatusesCompressed: gzipped(t, text)}).Roles()
		if (err != nil) != (plainErr != nil) {
			t.Fatalf("compressed: %v, plain: %v", err, plainErr)
		}
		if diff := cmp.Diff(plain, got); err == nil && diff != "" {
			t.Errorf("(-plain +compressed)\n%s", diff)
		}
	})
}
