// SPDX-License-Identifier: MPL-2.0

package task

import (
	"os"
	"os/exec"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// A process that ends before it may run the task is treated as started. Its
// exit code determines the outcome of the task.
func TestAProcessThatEndsBeforeItMayGoIsNoErrorOfTheStart(t *testing.T) {
	t.Parallel()
	if !process.Supported {
		t.Log("this system does not support task processes")
		return
	}
	program, err := exec.LookPath("false")
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		dir := store.TaskDir(t.TempDir())
		if err := os.MkdirAll(dir.Work(), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := store.WriteJSON(dir.Launch(), Launch{PodUID: "uid"}); err != nil {
			t.Fatal(err)
		}
		ends := make(chan End, 1)
		if _, err := Start(program, dir, "uid", func(e End) { ends <- e }); err != nil {
			t.Fatal(err)
		}
		if end := <-ends; end.Code != 1 {
			t.Errorf("ended with %+v", end)
		}
	}
}
