// SPDX-License-Identifier: MPL-2.0

package local

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/local/task"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// envSmallDisk is an environment variable whose value is a directory that a test
// may fill. The directory is the mount point of a file system that no other process
// can access.
const envSmallDisk = "LOCAL_TEST_SMALL_DISK"

// onSmallDisk reruns the test in a process that may mount file systems.
func onSmallDisk(t *testing.T, test func(*testing.T)) {
	t.Helper()
	if dir := os.Getenv(envSmallDisk); dir != "" {
		if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
			t.Fatal(err)
		}
		if err := unix.Mount("tmpfs", dir, "tmpfs", 0, smallDiskSize(t)); err != nil {
			t.Fatal(err)
		}
		t.Setenv("TMPDIR", dir)
		test(t)
		return
	}
	if !task.CanMount() {
		t.Log("this machine does not support private mounts")
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), envSmallDisk+"="+t.TempDir())
	cmd.SysProcAttr = task.Session(true)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// smallDiskSize returns the mount option for a disk with room for the copy of
// the program and 8 MiB of other files.
func smallDiskSize(t *testing.T) string {
	t.Helper()
	program, err := os.Stat(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("size=%d", program.Size()+8<<20)
}

// fill fills the workspace's disk. free releases the space.
func (w *world) fill() (free func()) {
	w.Helper()
	name := filepath.Join(w.dir, "filler")
	f, err := os.Create(name)
	if err != nil {
		w.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for size := 1 << 20; size > 0; {
		if _, err := f.Write(make([]byte, size)); store.IsDiskFull(err) {
			size /= 2
		} else if err != nil {
			w.Fatal(err)
		}
	}
	return func() {
		if err := os.Remove(name); err != nil {
			w.Error(err)
		}
	}
}

// heldBack returns a job that writes output, waits for a file, and exits with
// code 7. The function open creates the file.
func heldBack(t *testing.T, name string) (job *resolve.Job, open func()) {
	t.Helper()
	gate, err := os.MkdirTemp("/var/tmp", "gate")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(gate) })
	role := newRole("worker", fmt.Sprintf("seq 20000; echo here; while [ ! -e %s/open ]; do sleep 0.02; done; exit 7", gate))
	return newJob(name, role), func() {
		if err := os.WriteFile(filepath.Join(gate, "open"), nil, 0o644); err != nil {
			t.Error(err)
		}
	}
}

func withoutRoom(st *cluster.Status) bool {
	return strings.Contains(st.Problem.String(), "no space left on the disk")
}

// After a task ended on a full disk, the status shows the outcome as soon as
// space is available again.
func TestAnOutcomeOnAFullDiskIsRecordedLater(t *testing.T) {
	onSmallDisk(t, func(t *testing.T) {
		w := newWorld(t)
		job, open := heldBack(t, "ends")
		w.apply(job)
		w.awaitOutput(job, "worker", 0, "here")
		free := w.fill()
		open()
		st := w.await(job, "in trouble", withoutRoom)
		if st.State != planner.StateRunning {
			t.Errorf("state %s", st.State)
		}
		time.Sleep(2 * firstRecordDelay)
		free()
		st = w.finished(job)
		exit := st.TaskRoles[0].Tasks[0].Attempts[0].Exit
		if st.UserCode == nil || *st.UserCode != 7 || exit.Stage == "" || exit.UserCode != 7 {
			t.Errorf("status %+v, exit %+v", st, exit)
		}
		if !st.Problem.Empty() {
			t.Errorf("trouble %q after the end", st.Problem)
		}
		w.followsToTheEnd(job)
	})
}

// followsToTheEnd fails the test if a log request with Follow does not return
// after the job has ended.
func (w *world) followsToTheEnd(job *resolve.Job) {
	w.Helper()
	r := cluster.LogRequest{Framework: job.Framework, Role: "worker", JobAttempt: -1, Attempt: -1, Stream: cluster.StreamAll, Follow: true}
	if err := w.Logs(w.ctx, r, &bytes.Buffer{}); err != nil {
		w.Error(err)
	}
}

// Stop works for a job that fills the disk.
func TestAJobCanBeStoppedOnAFullDisk(t *testing.T) {
	onSmallDisk(t, func(t *testing.T) {
		w := newWorld(t)
		job, _ := heldBack(t, "stops")
		w.apply(job)
		w.awaitOutput(job, "worker", 0, "here")
		tasks := w.processes(job.Framework)
		free := w.fill()
		if err := w.Stop(w.ctx, job.Framework); err == nil || !strings.Contains(err.Error(), "the supervisor received the request and is ending the tasks of the job, but there is no space left") {
			t.Errorf("error %v", err)
		}
		for _, p := range tasks {
			for p.Alive() {
				if w.ctx.Err() != nil {
					t.Fatal("the task is still running\n" + w.supervisorLog(job))
				}
				time.Sleep(time.Millisecond)
			}
		}
		w.await(job, "in trouble", withoutRoom)
		free()
		if st := w.finished(job); st.State != planner.StateStopped {
			t.Errorf("state %s", st.State)
		}
		w.followsToTheEnd(job)
	})
}

// Deleting a job frees space, whether the job is running, has no supervisor,
// or has finished.
func TestAJobCanBeDeletedOnAFullDisk(t *testing.T) {
	for name, before := range map[string]func(w *world, job *resolve.Job, open func()){
		"runs":                    func(*world, *resolve.Job, func()) {},
		"runs without supervisor": func(w *world, job *resolve.Job, _ func()) { w.killSupervisor(job) },
		"finished":                func(w *world, job *resolve.Job, open func()) { open(); w.finished(job) },
	} {
		t.Run(name, func(t *testing.T) {
			onSmallDisk(t, func(t *testing.T) {
				w := newWorld(t)
				job, open := heldBack(t, "deleted")
				w.apply(job)
				w.awaitOutput(job, "worker", 0, "here")
				before(w, job, open)
				free := w.fill()
				if err := w.Delete(w.ctx, job.Framework); err != nil {
					t.Errorf("%v\n%s", err, w.supervisorLog(job))
				}
				free()
				if live, err := w.Find(w.ctx, job.Framework); live != nil || err != nil {
					t.Errorf("found %+v, error %v", live, err)
				}
			})
		})
	}
}
