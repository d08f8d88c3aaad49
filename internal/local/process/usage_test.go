// SPDX-License-Identifier: MPL-2.0

package process

import (
	"testing"
	"time"
)

func TestTheUsageOfAProcessTreeIsSummed(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	earlier := &Sample{at: at, processes: map[int]measured{
		10: {parent: 1, session: 10, start: "5", cpu: time.Second, memory: 100},
		11: {parent: 10, session: 10, start: "6", cpu: 4 * time.Second, memory: 100},
		12: {parent: 11, session: 12, start: "7", cpu: 9 * time.Second, memory: 100}, // its PID is reused
	}}
	now := &Sample{at: at.Add(2 * time.Second), processes: map[int]measured{
		10: {parent: 1, session: 10, start: "5", cpu: time.Second, memory: 1},
		11: {parent: 10, session: 10, start: "6", cpu: 6 * time.Second, memory: 20},
		12: {parent: 11, session: 12, start: "8", cpu: time.Second, memory: 300}, // in its own session
		13: {parent: 1, session: 10, start: "9", cpu: time.Second, memory: 4000}, // an orphan in the session
		20: {parent: 1, session: 20, start: "5", cpu: time.Hour, memory: 1 << 40},
		30: {parent: 31}, 31: {parent: 30}, // a cycle
	}}
	cores, memory, ok := now.Tree(10, earlier)
	if cores != 2 || memory != 4321 || !ok {
		t.Errorf("%v cores, %d bytes, %v", cores, memory, ok)
	}
	if _, _, ok := now.Tree(99, earlier); ok {
		t.Error("a process that is not running has a usage")
	}
}
