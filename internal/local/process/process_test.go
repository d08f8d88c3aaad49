// SPDX-License-Identifier: MPL-2.0

package process

import (
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"
)

func TestAProcessIsMoreThanItsNumber(t *testing.T) {
	t.Parallel()
	self, err := Identify(os.Getpid())
	if err != nil || !self.Alive() {
		t.Fatalf("this process %+v, error %v", self, err)
	}
	for name, other := range map[string]ID{
		"another start time":          {self.PID, self.Start + "1", self.Boot},
		"another boot of the machine": {self.PID, self.Start, "before"},
		"no process at all":           {},
		"a negative number":           {-1, self.Start, self.Boot},
	} {
		if other.Alive() {
			t.Errorf("%s counts as this process", name)
		}
	}
}

func TestAProcessThatIsNotReapedHasEnded(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("sh", "-c", "read x")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p, err := Identify(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	for p.Alive() { // until the process is a zombie
		time.Sleep(time.Millisecond)
	}
	_ = cmd.Wait()
}

func TestMembersAreFoundBySession(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("sh", "-c", "sleep 300 & wait")
	cmd.SysProcAttr = NewSession()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Wait() }()
	var found []int
	for len(found) < 2 {
		var err error
		if found, err = Members(cmd.Process.Pid, "no such Pod"); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Contains(found, cmd.Process.Pid) {
		t.Errorf("members %v do not include the leader %d", found, cmd.Process.Pid)
	}
	for _, pid := range found {
		if err := Kill(pid); err != nil {
			t.Error(err)
		}
	}
}
