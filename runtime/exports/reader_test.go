// SPDX-License-Identifier: MPL-2.0

//go:build unix

package exports

import "testing"

// Once the shell has exited, its complete output is in the pipe. The reader
// must return all of it, even on a busy machine or if a background process
// keeps the pipe open.
func TestExportsThatNobodyHasReadYetAreNotLost(t *testing.T) {
	t.Parallel()
	for range 2000 {
		e, w, err := NewReader()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.WriteString("export A='1'\n\x00"); err != nil {
			t.Fatal(err)
		}
		if vars := e.Read(); vars["A"] != "1" {
			t.Fatalf("variables %v", vars)
		}
		_ = w.Close()
	}
}
