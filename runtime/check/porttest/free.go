// SPDX-License-Identifier: MPL-2.0

package porttest

import (
	"math/rand/v2"
	"testing"

	"github.com/openpai/terraform-provider-openpai/runtime/check"
)

// Start and End are below the ephemeral port range, because other tests open
// outgoing connections.
const (
	Start = 15000
	End   = 32000
)

// Free returns an unused port between Start and End.
func Free(t testing.TB) int {
	t.Helper()
	for range 100 {
		port := Start + rand.IntN(End-Start)
		if check.Ports(t.Context(), []int{port}) == nil {
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}
