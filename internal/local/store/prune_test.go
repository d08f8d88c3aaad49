// SPDX-License-Identifier: MPL-2.0

package store

import (
	"os"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// attemptsOf creates attempts with the IDs from 0 to last. If ofJob is true,
// each task attempt is in a separate job attempt.
func attemptsOf(t *testing.T, l Layout, last int32, ofJob bool) []TaskDir {
	t.Helper()
	var all []TaskDir
	for id := range last + 1 {
		dir := l.TaskAttempt("f", 0, TaskKey{"worker", 0}, id)
		if ofJob {
			dir = l.TaskAttempt("f", id, TaskKey{"worker", 0}, 0)
		}
		if err := os.MkdirAll(dir.Logs(), 0o755); err != nil {
			t.Fatal(err)
		}
		all = append(all, dir)
	}
	return all
}

func remaining(all []TaskDir) (ids []string) {
	for id, dir := range all {
		if Exists(string(dir)) {
			ids = append(ids, strconv.Itoa(id))
		}
	}
	return ids
}

func TestTheFirstAndTheLatestAttemptsStay(t *testing.T) {
	t.Parallel()
	want := []string{"0", "3"}
	for id := 6; id <= 25; id++ {
		want = append(want, strconv.Itoa(id))
	}
	for name, ofJob := range map[string]bool{"of a job": true, "of a task": false} {
		l := NewLayout(t.TempDir())
		all := attemptsOf(t, l, 25, ofJob)
		prune := func() error {
			if ofJob {
				return l.PruneJobAttempts("f", 25)
			}
			return l.PruneTaskAttempts("f", 0, TaskKey{"worker", 0}, 25)
		}
		release, err := all[3].Hold()
		if err != nil {
			t.Fatal(err)
		}
		if err := prune(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, remaining(all)); diff != "" {
			t.Errorf("%s, one of them read (-want +got):\n%s", name, diff)
		}
		release()
		if err := prune(); err != nil || Exists(string(all[3])) {
			t.Errorf("%s still exists after the release; error %v", name, err)
		}
	}
}
