// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package local

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/ssh"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// The ssh client of the Linux distribution can log in to a task, and from one task to
// another.
func TestOpenSSHLogsInToTasks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	role := newRole("worker", `[ $PAI_TASK_INDEX = 0 ] || { while [ ! -e "$HERE/leave" ]; do sleep 0.02; done; exit 0; }
ssh -F "$PAI_SSH_CONFIG" worker-1 'echo "task $PAI_TASK_INDEX has $DATA_DIR"'
ssh worker-1 'echo "task $PAI_TASK_INDEX without options"'
echo by file >file; scp -q file worker-1:copied; ssh worker-1 'cat copied; ssh worker-0 "echo and back to \$PAI_TASK_INDEX"'
echo started; while [ ! -e "$HERE/leave" ]; do sleep 0.02; done`)
	role.Instances, role.Environment = 2, map[string]string{"HERE": w.dir}
	role.Steps = []*resolve.Step{{Address: "prerequisite.script.data", Name: "data", Type: "script", Plugin: "cmd", FailurePolicy: "fail",
		Callbacks: []*resolve.Callback{{Event: "taskStarts", Commands: []string{"export DATA_DIR=/data"}, FailurePolicy: "fail"}}}}
	job := newJob("openssh", role)
	key := w.withSSH(job, map[string]any{"jobssh": true, "sshbarrier": true})
	w.awaitOutput(job, "worker", 0, "started")
	if got := w.output(job, "worker", 0); !strings.HasPrefix(got, "task 1 has /data\ntask 1 without options\nby file\nand back to 0\n") {
		t.Errorf("between tasks: %q", got)
	}
	access, err := w.SSH(w.ctx, job.Framework)
	if err != nil || len(access.Tasks) != 2 {
		t.Fatalf("access %+v, error %v", access, err)
	}
	var peers []ssh.Peer
	for _, task := range access.Tasks {
		peers = append(peers, task.Peer)
	}
	config, err := ssh.WriteClientFiles(access.Dir, key, peers)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(w.ctx, "ssh", "-F", config, "-tt", "-q", "worker-0", "echo $PAI_TASK_INDEX $DATA_DIR $PAI_JOB_NAME").CombinedOutput()
	if err != nil || string(out) != "0 /data ann~openssh\r\n" {
		t.Errorf("%v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(w.dir, "leave"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	w.finished(job)
}

// mpirun uses ssh to start its daemon in every other task. The host name is
// the task name, and no configuration options are set. The daemon connects to
// mpirun over TCP.
func TestMPIRunStartsProcessesInAllTasks(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("mpirun"); err != nil {
		t.Skip("mpirun is not installed; TestSSHRunsTheCommandLineOfMPIRun covers its commands")
	}
	got := mpi(t, `mpirun --allow-run-as-root --oversubscribe --mca btl tcp,self -H worker-0:1,worker-1:1 -np 2 \
  sh -c 'echo "rank $OMPI_COMM_WORLD_RANK of $OMPI_COMM_WORLD_SIZE in task $PAI_TASK_INDEX"' | sort`)
	if want := "rank 0 of 2 in task 0\nrank 1 of 2 in task 1\n"; !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Open MPI 4.1 runs ssh without a terminal and without X11 forwarding. Open MPI
// passes the remote commands, including quotes, as one argument.
func TestSSHRunsTheCommandLineOfMPIRun(t *testing.T) {
	t.Parallel()
	got := mpi(t, `mkdir -p "$HERE/mpi/bin"
printf '#!/bin/sh\necho "orted $* in task $PAI_TASK_INDEX, library $LD_LIBRARY_PATH"\n' >"$HERE/mpi/bin/orted"; chmod +x "$HERE/mpi/bin/orted"
for host in worker-0 worker-1; do
  ssh -x $host "PATH=$HERE/mpi/bin:\$PATH ; export PATH ; LD_LIBRARY_PATH=/mpi/lib:\${LD_LIBRARY_PATH:-} ; export LD_LIBRARY_PATH ; orted -mca ess \"env\" -mca orte_hnp_uri \"1;tcp://127.0.0.1:1\"" </dev/null
done`)
	const want = `orted -mca ess env -mca orte_hnp_uri 1;tcp://127.0.0.1:1 in task 0, library /mpi/lib:
orted -mca ess env -mca orte_hnp_uri 1;tcp://127.0.0.1:1 in task 1, library /mpi/lib:
`
	if !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// mpi runs commands in the first of two tasks and returns their output.
func mpi(t *testing.T, commands string) string {
	t.Helper()
	w := newWorld(t)
	role := newRole("worker", `[ $PAI_TASK_INDEX = 0 ] || { while [ ! -e "$HERE/leave" ]; do sleep 0.02; done; exit 0; }
trap 'touch "$HERE/leave"' EXIT
`+commands+`
echo started`)
	role.Instances, role.Environment = 2, map[string]string{"HERE": w.dir}
	job := newJob("mpi", role)
	w.withSSH(job, map[string]any{"jobssh": true, "sshbarrier": true})
	w.finished(job)
	return w.output(job, "worker", 0)
}
