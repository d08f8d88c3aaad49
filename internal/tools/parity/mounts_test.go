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

// withoutMounts is the program name with which the test binary simulates a machine
// that does not permit private mounts. The test uses a name because environment
// variables do not reach the process that tries the mounts.
const withoutMounts = "without-mounts.test"

func permitsNoMounts() bool { return filepath.Base(os.Args[0]) == withoutMounts }

// failMounts simulates a machine without private mounts: it ends the process that
// tries the mounts.
func failMounts() {
	if permitsNoMounts() && len(os.Args) > 1 && os.Args[1] == reexec.Mounts {
		os.Exit(1)
	}
}

// testWithoutMounts runs the test in another process, because each process checks
// the permissions of the machine only once.
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
