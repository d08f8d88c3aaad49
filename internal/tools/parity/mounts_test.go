// SPDX-License-Identifier: MPL-2.0

package parity

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/local/reexec"
)

// withoutMounts is the program name under which the test binary simulates a
// machine that does not permit private mounts. The program name selects the
// simulation, because the mounting process receives no environment variables.
const withoutMounts = "without-mounts.test"

func permitsNoMounts() bool { return filepath.Base(os.Args[0]) == withoutMounts }

// failMounts simulates a machine that does not permit private mounts: it exits
// in the process that would create the mounts.
func failMounts() {
	if permitsNoMounts() && len(os.Args) > 1 && os.Args[1] == reexec.Mounts {
		os.Exit(1)
	}
}

// testWithoutMounts runs the test in a separate process, because a process
// checks only once whether mounts are permitted.
func testWithoutMounts(t *testing.T) {
	t.Helper()
	program := filepath.Join(t.TempDir(), withoutMounts)
	text, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(program, text, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	var pattern []string
	for _, name := range strings.Split(t.Name(), "/") {
		pattern = append(pattern, "^"+regexp.QuoteMeta(name)+"$")
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.v", "-test.run", strings.Join(pattern, "/"))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()+" ") {
		t.Errorf("%v\n%s", err, out)
	}
}
