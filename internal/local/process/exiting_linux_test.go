// SPDX-License-Identifier: MPL-2.0

package process

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// If envLock contains a file name, the test binary locks this file and then
// prints a line.
const envLock = "OPENPAI_TEST_LOCK"

func init() {
	name := os.Getenv(envLock)
	if name == "" {
		return
	}
	f, err := os.Open(name)
	if err == nil {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("locked")
	for {
		time.Sleep(time.Hour)
	}
}

// TestAKilledProcessThatReleasedItsLocksIsNotAlive calls Alive after another
// process has acquired the lock. The system releases the locks of a process before
// the process becomes a zombie.
func TestAKilledProcessThatReleasedItsLocksIsNotAlive(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "lock")
	if err := os.WriteFile(name, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), envLock+"="+name)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		id, err := Identify(cmd.Process.Pid)
		if err != nil {
			t.Fatal(err)
		}
		alive := make(chan bool)
		go func() {
			f, err := os.Open(name)
			if err == nil {
				err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
			}
			alive <- err != nil || id.Alive()
			_ = f.Close()
		}()
		time.Sleep(time.Millisecond)
		_ = cmd.Process.Kill()
		if <-alive {
			t.Error("a process is alive although its lock was released")
		}
		_ = cmd.Wait()
	}
}
