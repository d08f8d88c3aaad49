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

// withoutMounts is the name of this program on a machine that permits no private
// mounts. The environment does not reach the process that tries them.
const withoutMounts = "without-mounts.test"

func permitsNoMounts() bool { return filepath.Base(os.Args[0]) == withoutMounts }

// failMounts ends the process that tries mounts, as on such a machine.
func failMounts() {
	if permitsNoMounts() && len(os.Args) > 1 && os.Args[1] == reexec.Mounts {
		os.Exit(1)
	}
}

// testWithoutMounts runs the test in another process: what a machine permits is
// found out once in each.
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
