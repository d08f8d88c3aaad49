// SPDX-License-Identifier: MPL-2.0

//go:build acc && linux

package runtime

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"golang.org/x/sys/unix"
)

// The runtime becomes the parent of ten thousand orphans, and reaps all of them.
func TestTenThousandOrphansAreReaped(t *testing.T) {
	r := newRig(t,
		"i=0; while [ $i -lt 1000 ]; do sh -c ': & : & : & : & : & : & : & : & : & :'; sh -c '(: &)'; i=$((i+1)); done",
		awaitReaping,
		"echo counted")
	if err := r.process().Wait(); err != nil {
		t.Fatalf("%v\n%s", err, r.stderr.String())
	}
	if got := r.output(); got != "counted\n" {
		t.Errorf("left: %q", got)
	}
}

// The test kills two hundred runtimes at random times. After each kill, the
// record must be absent or complete, and no script may run twice.
func TestAKilledRuntimeLeavesNoPartialRecord(t *testing.T) {
	var wait sync.WaitGroup
	slots := make(chan struct{}, 8)
	for i := range 200 {
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			r := newRig(t, "echo user >>trace", "sleep 0.02")
			r.traced("a", "", "")
			r.processKilledAfter(time.Duration(rand.IntN(150)) * time.Millisecond)
			text, err := os.ReadFile(r.config.RecordFile)
			var record exitspec.Record
			if err == nil && (json.Unmarshal(text, &record) != nil || record.Finished.IsZero()) {
				t.Errorf("kill %d: record %q", i, text)
			}
			begun, _ := ReadJournal(r.config.Root)
			before := r.trace()
			if r.run(); len(begun) > 0 && r.trace() != before {
				t.Errorf("kill %d: %q became %q", i, before, r.trace())
			}
		})
	}
	wait.Wait()
}

// TestStepsOfLargeRandomTasksEndInReverseOrder runs tasks with random lists of up
// to 200 steps. The tasks stop or fail at random times.
func TestStepsOfLargeRandomTasksEndInReverseOrder(t *testing.T) {
	for seed := range uint64(16) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			randomTask(t, rand.New(rand.NewPCG(seed, 200)), 200, 2*time.Second)
		})
	}
}

// If the file system of the logs is full, the task continues. When space is
// available again, the log marks the gap.
func TestATaskContinuesOnAFullFileSystem(t *testing.T) {
	r := newRig(t, "seq 1 400000; sleep 0.5", "rm \"$ROOM\"", "sleep 0.2; echo after the gap", "echo done >trace")
	if err := os.MkdirAll(r.config.LogDir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", r.config.LogDir, "tmpfs", 0, "size=1m"); err != nil {
		t.Fatalf("this test mounts a small file system: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(r.config.LogDir, unix.MNT_DETACH) })
	inTheWay := filepath.Join(r.config.LogDir, "room")
	if err := os.WriteFile(inTheWay, make([]byte, 600<<10), 0o644); err != nil {
		t.Fatal(err)
	}
	r.config.Environ = append(r.config.Environ, "ROOM="+inTheWay)
	if record := r.run(); record.Code != 0 || r.trace() != "done" {
		t.Errorf("trace %q, record %+v", r.trace(), record)
	}
	if got := r.output(); !strings.Contains(got, "bytes could not be written here\n") || !strings.HasSuffix(got, "after the gap\n") {
		t.Errorf("the log ends with %q", got[max(0, len(got)-200):])
	}
}

// If an operation fails because the working directory's file system is full,
// the record contains this cause.
func TestAFullFileSystemIsNamed(t *testing.T) {
	for name, build := range map[string]func(r *rig){
		"a download": func(r *rig) {
			r.step("data").Fetch = []runspec.Fetch{{URL: r.source("big", make([]byte, 2<<20)), To: "f"}}
		},
		"a start callback": func(r *rig) { r.step("data", on("taskStarts", "head -c 2M /dev/zero >f")) },
		"the commands":     func(r *rig) { r.spec.Commands = []string{"head -c 2M /dev/zero >f"} },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, "true")
			if err := unix.Mount("tmpfs", r.config.WorkDir, "tmpfs", 0, "size=1m"); err != nil {
				t.Fatalf("this test mounts a small file system: %v", err)
			}
			t.Cleanup(func() { _ = unix.Unmount(r.config.WorkDir, unix.MNT_DETACH) })
			build(r)
			if record := r.run(); record.Code != exitspec.CodeNoSpace || record.Phrase != "NoSpaceLeft" || !strings.Contains(record.Reason, "o space left on device") {
				t.Errorf("record %+v", record)
			}
		})
	}
}
