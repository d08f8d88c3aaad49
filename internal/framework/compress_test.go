// SPDX-License-Identifier: MPL-2.0

package framework

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// many returns a list with one role of n tasks.
func many(n int) []TaskRoleStatus {
	r := statuses("worker")
	for i := range n {
		r.TaskStatuses = append(r.TaskStatuses, ended(int32(i), i%3, i))
	}
	return []TaskRoleStatus{r}
}

func TestCompressedStatusReadsAsWritten(t *testing.T) {
	t.Parallel()
	want := many(2000)
	st := AttemptStatus{TaskRoleStatuses: want}
	if err := st.Compress(); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(st)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), `"taskRoleStatuses":null`) {
		t.Error("the uncompressed statuses were not removed")
	}
	var back AttemptStatus
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	got, err := back.Roles()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("statuses (-want +got)\n%s", diff)
	}
}

func TestSmallStatusStaysPlain(t *testing.T) {
	t.Parallel()
	st := AttemptStatus{TaskRoleStatuses: many(3)}
	if err := st.Compress(); err != nil {
		t.Fatal(err)
	}
	if st.TaskRoleStatusesCompressed != nil || len(st.TaskRoleStatuses) != 1 {
		t.Error("a small status was compressed")
	}
}

func TestDamagedStatusIsAnError(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{"no gzip": "xxxx", "cut short": "\x1f\x8b\x08\x00"} {
		st := AttemptStatus{TaskRoleStatusesCompressed: []byte(data)}
		if _, err := st.Roles(); err == nil || !strings.Contains(err.Error(), "task role statuses") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
