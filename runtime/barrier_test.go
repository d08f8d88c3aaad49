// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

func TestTheFileBarrierGivesTheTableOnceItIsThere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := FileBarrier{ReadyFile: filepath.Join(dir, "ready.json"), HostsFile: filepath.Join(dir, "hosts.json")}
	self := runspec.Host{Role: "worker", Index: 1, IP: "127.0.0.1", HostIP: "127.0.0.1", Ports: map[string][]int{"http": {8080}}}
	go func() {
		for {
			text, err := os.ReadFile(b.ReadyFile)
			if err != nil {
				time.Sleep(time.Millisecond)
				continue
			}
			var h runspec.Host
			if json.Unmarshal(text, &h) == nil {
				table, _ := json.Marshal(runspec.Hosts{Tasks: []runspec.Host{h}})
				_ = atomicfile.Write(b.HostsFile, table, 0o644)
			}
			return
		}
	}()
	hosts, err := b.Wait(t.Context(), self)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&runspec.Hosts{Tasks: []runspec.Host{self}}, hosts); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTheFileBarrierEnds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	damaged := filepath.Join(dir, "damaged.json")
	if err := os.WriteFile(damaged, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		barrier FileBarrier
		code    int
	}{
		"at the timeout":                   {FileBarrier{filepath.Join(dir, "r"), filepath.Join(dir, "h"), 20 * time.Millisecond}, 251},
		"when the task cannot report":      {FileBarrier{filepath.Join(dir, "no", "r"), filepath.Join(dir, "h"), time.Minute}, 250},
		"when the table cannot be read":    {FileBarrier{filepath.Join(dir, "r"), damaged, time.Minute}, 250},
		"when the path is not a directory": {FileBarrier{filepath.Join(damaged, "r"), damaged, time.Minute}, 250},
	} {
		_, err := c.barrier.Wait(t.Context(), runspec.Host{})
		var refused *BarrierError
		if !errors.As(err, &refused) || refused.Code != c.code {
			t.Errorf("%s: error %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (FileBarrier{ReadyFile: filepath.Join(dir, "r"), HostsFile: filepath.Join(dir, "h")}).Wait(ctx, runspec.Host{}); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: error %v", err)
	}
}

func TestTasksOfAnIncompleteGangDoNotStart(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		barrier func(r *rig) Barrier
		wait    int
		code    int
		phrase  string
	}{
		"a missing barrier is a platform error": {func(*rig) Barrier { return nil }, 0, 252, "FrameworkBarrierPermanentFailed"},
		"a gang whose tasks are not ready in time": {
			func(r *rig) Barrier {
				return FileBarrier{ReadyFile: filepath.Join(r.dir, "ready"), HostsFile: filepath.Join(r.dir, "hosts")}
			}, 1, 251, "JobGangAllocationTimeout",
		},
	} {
		r := newRig(t, "echo user >>trace")
		r.traced("a", "", "")
		r.spec.Gang, r.spec.MaxWaitSeconds = true, c.wait
		r.config.Barrier = c.barrier(r)
		record := r.run()
		if record.Code != c.code || record.Phrase != c.phrase || r.trace() != "" {
			t.Errorf("%s: trace %q, record %+v", name, r.trace(), record)
		}
		if !strings.Contains(r.read("termination"), c.phrase) && !strings.Contains(r.read("termination"), "not all tasks of the job became ready") {
			t.Errorf("%s: message %s", name, r.read("termination"))
		}
	}
}

func TestAStopEndsTheWaitForTheGang(t *testing.T) {
	t.Parallel()
	r := newRig(t, "echo user >>trace")
	r.traced("a", "", "")
	r.spec.Gang = true
	ready := filepath.Join(r.dir, "ready")
	r.config.Barrier = FileBarrier{ReadyFile: ready, HostsFile: filepath.Join(r.dir, "hosts")}
	ended := make(chan exitspec.Record, 1)
	go func() { ended <- r.run() }()
	for _, err := os.Stat(ready); err != nil; _, err = os.Stat(ready) {
		time.Sleep(time.Millisecond)
	}
	r.signals <- syscall.SIGTERM
	if record := <-ended; !record.Stopped || record.Code == 0 || r.trace() != "" {
		t.Errorf("trace %q, record %+v", r.trace(), record)
	}
}
