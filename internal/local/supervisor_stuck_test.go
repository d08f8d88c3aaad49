// SPDX-License-Identifier: MPL-2.0

//go:build linux || darwin

package local

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// A request to a suspended supervisor fails with an error that contains the
// PID. The request takes effect when the supervisor resumes.
func TestSuspendedSupervisorIsNamed(t *testing.T) {
	t.Parallel()
	for name, request := range map[string]func(*world, string) error{
		"stop":   func(w *world, name string) error { return w.Stop(w.ctx, name) },
		"delete": func(w *world, name string) error { return w.Delete(w.ctx, name) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			job := newJob("held", newRole("worker", "echo here; exec sleep 600"))
			w.apply(job)
			w.awaitOutput(job, "worker", 0, "here")
			supervisor := w.supervisor(job)
			w.signal(supervisor, syscall.SIGSTOP)
			named := fmt.Sprintf("its supervisor, process %d, is suspended", supervisor.PID)
			if err := request(w, job.Framework); err == nil || !strings.Contains(err.Error(), named) {
				t.Errorf("error %v, want %q", err, named)
			}
			st, err := w.Status(w.ctx, job.Framework)
			if err != nil || !strings.Contains(st.Problem.String(), named) {
				t.Errorf("status %+v, error %v, want the problem %q", st, err, named)
			}
			w.signal(supervisor, syscall.SIGCONT)
			st = w.await(job, "stopped", func(s *cluster.Status) bool { return s.State == planner.StateStopped })
			if !st.Problem.Empty() {
				t.Errorf("problem after the end: %q", st.Problem)
			}
		})
	}
}

func (w *world) signal(p process.ID, s syscall.Signal) {
	w.Helper()
	if err := syscall.Kill(p.PID, s); err != nil {
		w.Fatal(err)
	}
	for process.Suspended(p.PID) != (s == syscall.SIGSTOP) {
		if w.ctx.Err() != nil {
			w.Fatal(w.ctx.Err())
		}
	}
}
