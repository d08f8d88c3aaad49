package parity

import (
	"os"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/local"
)

func TestMain(m *testing.M) {
	failMounts()
	// Supervisors and tasks of the jobs of these tests run from this program.
	if code, handled := local.Entrypoint(os.Args); handled {
		os.Exit(code)
	}
	os.Exit(m.Run())
}
