// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
)

func keptAt(second, attempt int, lines ...string) cluster.EndedAttempt {
	return cluster.EndedAttempt{Role: "worker", Attempt: attempt, Exit: &exitspec.Record{
		LastLines: lines, Started: time.Unix(int64(second)-1, 0).UTC(), Finished: time.Unix(int64(second), 0).UTC(),
	}}
}

func TestARecordHoldsTheLatestAttempts(t *testing.T) {
	t.Parallel()
	var many []cluster.EndedAttempt
	var lines []string
	for n := range 30 {
		many = append(many, keptAt(100-n, n))
		lines = append(lines, fmt.Sprint("line ", n))
	}
	if all := mergeAttempts(many[:15], many[10:]); len(all) != maxKeptAttempts || all[0].Attempt != 19 || all[19].Attempt != 0 {
		t.Errorf("%d merged attempts, from %d to %d, want 20 from 19 to 0", len(all), all[0].Attempt, all[len(all)-1].Attempt)
	}
	all := mergeAttempts(nil, []cluster.EndedAttempt{keptAt(1, 0, lines...)})
	if diff := cmp.Diff(lines[20:], all[0].Exit.LastLines); diff != "" {
		t.Errorf("lines (-want +got)\n%s", diff)
	}
	var large []cluster.EndedAttempt
	for n := range 15 {
		large = append(large, keptAt(n, n, strings.Repeat("x", 8<<10)))
	}
	all = mergeAttempts(nil, large)
	text, err := json.Marshal(all)
	if err != nil || len(text) > maxKeptBytes || len(all) != 7 || all[6].Attempt != 14 {
		t.Errorf("%d bytes of %d merged attempts, error %v", len(text), len(all), err)
	}
}

func TestAnAttemptIsAddedInItsPlace(t *testing.T) {
	t.Parallel()
	started := time.Unix(50, 0)
	current := cluster.TaskAttempt{Attempt: 2, State: "RUNNING", Started: &started}
	attempts := []cluster.TaskAttempt{current}
	for _, k := range []cluster.EndedAttempt{keptAt(20, 1, "b"), keptAt(10, 0, "a"), keptAt(20, 1, "b")} {
		attempts = addAttempt(attempts, k)
	}
	var got []string
	for _, a := range attempts {
		got = append(got, fmt.Sprint(a.Attempt, " ", a.State))
	}
	if diff := cmp.Diff([]string{"0 SUCCEEDED", "1 SUCCEEDED", "2 RUNNING"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	stopped := []cluster.TaskAttempt{{State: "STOPPED", Exit: &exitspec.Record{Code: -210, Stopped: true}}}
	stopped = addAttempt(stopped, keptAt(10, 0, "a"))
	if e := stopped[0].Exit; e.Code != -210 || cmp.Diff([]string{"a"}, e.LastLines) != "" || stopped[0].Started == nil {
		t.Errorf("a stopped task: %+v", e)
	}
}
