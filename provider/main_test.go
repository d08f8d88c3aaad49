// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"os"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/local"
)

func TestMain(m *testing.M) {
	// The jobs in these tests run the test binary as their supervisors and
	// tasks.
	if code, handled := local.Entrypoint(os.Args); handled {
		os.Exit(code)
	}
	os.Exit(m.Run())
}
