// SPDX-License-Identifier: MPL-2.0

package process

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// If envHeadless is set, the test binary becomes a process whose first thread has
// ended.
const envHeadless = "OPENPAI_TEST_HEADLESS"

func init() {
	if os.Getenv(envHeadless) == "" {
		return
	}
	go func() { time.Sleep(time.Hour) }()
	runtime.LockOSThread() // locks the first thread, because init runs on it
	_, _, _ = unix.RawSyscall(unix.SYS_EXIT, 0, 0, 0)
}

func TestAProcessLivesWithoutItsFirstThread(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envHeadless+"=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		fields, err := stat(cmd.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		if fields[statState] == "Z" {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the first thread is in state %s", fields[statState])
		}
	}
	if _, err := processStart(cmd.Process.Pid); err != nil {
		t.Errorf("a process whose other threads run: %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if _, err := processStart(cmd.Process.Pid); errors.Is(err, ErrEnded) {
			_ = cmd.Wait()
			return
		}
	}
	t.Error("a zombie process never counts as ended")
}
