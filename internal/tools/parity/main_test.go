// SPDX-License-Identifier: MPL-2.0

package parity

import (
	"os"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/local"
)

func TestMain(m *testing.M) {
	failMounts()
	// The test binary also runs the supervisors and tasks of the jobs in these
	// tests.
	if code, handled := local.Entrypoint(os.Args); handled {
		os.Exit(code)
	}
	os.Exit(m.Run())
}
