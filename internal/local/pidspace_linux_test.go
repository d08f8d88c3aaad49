// SPDX-License-Identifier: MPL-2.0

package local

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/local/task"
)

// inMountSpace runs a script like a task with private mounts, in a PID
// namespace if pidSpace is true.
func inMountSpace(t *testing.T, pidSpace bool, script string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	cmd.SysProcAttr = task.Session(true)
	if pidSpace {
		cmd.Args[2] = "mount --make-rprivate / && mount -t proc proc /proc && sh -c '" + strings.ReplaceAll(script, "'", `'\''`) + "'; exit $?"
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWPID
	}
	out, err := cmd.CombinedOutput()
	code := 0
	if cmd.ProcessState != nil {
		code = cmd.ProcessState.ExitCode()
	} else {
		t.Fatal(err)
	}
	return fmt.Sprintf("%sexit code %d", out, code)
}

// TestAPIDNamespaceHidesProcessesOfOtherTasks shows why tasks with private mounts do
// not have a PID namespace. Local tasks share files: a PID in a file must identify the
// same process for all tasks.
func TestAPIDNamespaceHidesProcessesOfOtherTasks(t *testing.T) {
	t.Parallel()
	if !task.CanMount() {
		t.Skip("this machine does not support private mounts")
	}
	if got := inMountSpace(t, true, "readlink /proc/self"); !strings.HasSuffix(got, "exit code 0") || strings.Contains(got, fmt.Sprint(os.Getpid())) {
		t.Skipf("this machine does not permit a PID namespace: %s", got)
	}
	other := exec.Command("sleep", "300")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = other.Process.Kill()
		_ = other.Wait()
	}()
	lock := filepath.Join(t.TempDir(), "lock")
	if err := os.WriteFile(lock, []byte(strconv.Itoa(other.Process.Pid)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		script  string
		differs bool
	}{
		"user and groups":              {"id -u; id -g; id -G", false},
		"devices":                      {`for d in /dev/null /dev/nvidia* /dev/dri/*; do [ ! -e $d ] || stat -c "%n %t %T %a %u" $d; done; head -c 1 /dev/zero | wc -c`, false},
		"sudo":                         {"sudo -n id -u 2>&1 | sed s/.*sudo/sudo/; true", false},
		"the exit code":                {"exit 7", false},
		"a command killed by a signal": {`sh -c "kill -TERM \$\$"; echo $?`, false},
		"shared memory and sockets":    {"stat -c %d:%i /dev/shm; readlink /proc/self/ns/net /proc/self/ns/ipc", false},
		"a lock file of another task":  {"if kill -0 $(cat " + lock + ") 2>/dev/null; then echo locked; else echo stale; fi", true},
		"the processes of the machine": {fmt.Sprintf("ls -d /proc/%d", os.Getpid()), true},
	} {
		without, with := inMountSpace(t, false, test.script), inMountSpace(t, true, test.script)
		if (without != with) != test.differs {
			t.Errorf("%s: without a PID namespace\n%s\nwith a PID namespace\n%s", name, without, with)
		}
	}
	// In separate PID namespaces, concurrent tasks would write the same PIDs.
	if first, second := inMountSpace(t, true, "echo $$"), inMountSpace(t, true, "echo $$"); first != second {
		t.Errorf("the tasks have the process IDs %s and %s, want equal IDs", first, second)
	}
}
