// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"path/filepath"
	"testing"
)

// TestPlansOfARemovedHistoryAreRejected checks that apply rejects even plans
// that were never applied.
func TestPlansOfARemovedHistoryAreRejected(t *testing.T) {
	t.Parallel()
	s := newSaving(t, newJob("mnist", "ls"))
	directory := filepath.Dir(s.path)
	first, second := filepath.Join(directory, "first"), filepath.Join(directory, "second")
	for _, path := range []string{first, second} {
		s.path = path
		s.save()
	}
	apply := func(path, want string) {
		t.Helper()
		s.path, s.cluster.calls = path, nil
		if code, detail := s.apply(); code != want || want != "" && len(s.cluster.calls) > 0 {
			t.Errorf("plan %s: code %q, calls %v: %s", filepath.Base(path), code, s.cluster.calls, detail)
		}
	}
	forget := func(incarnation string) {
		t.Helper()
		if err := s.cluster.ForgetPlans(t.Context(), "ws", incarnation); err != nil {
			t.Fatal(err)
		}
	}

	forget("0")
	apply(first, "") // removing an empty history does not store an incarnation
	forget("1")
	apply(first, "saved-plan-forgotten")
	apply(second, "saved-plan-forgotten")
	s.path = filepath.Join(directory, "third")
	s.save()
	forget("2")
	apply(s.path, "saved-plan-forgotten")
	s.save()
	apply(s.path, "")
	apply(s.path, "saved-plan-applied")
}
