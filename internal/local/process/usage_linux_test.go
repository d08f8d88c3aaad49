// SPDX-License-Identifier: MPL-2.0

package process

import (
	"os"
	"testing"
	"time"
)

// TestThisProcessIsMeasured checks that Measure includes the usage of this
// process. The test consumes CPU time until the kernel reports the usage.
func TestThisProcessIsMeasured(t *testing.T) {
	t.Parallel()
	first, err := Measure()
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; {
		now, err := Measure()
		if err != nil {
			t.Fatal(err)
		}
		cores, memory, ok := now.Tree(os.Getpid(), first)
		if ok && cores > 0 && memory > 1<<20 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%v cores, %d bytes, %v", cores, memory, ok)
		}
	}
}
