package porttest

import (
	"math/rand/v2"
	"testing"

	"github.com/openpai/terraform-provider-openpai/runtime/check"
)

// The ports below those that systems give to outgoing connections, which other
// tests open all the time.
const (
	Start = 15000
	End   = 32000
)

// Free returns a port between Start and End that nobody uses.
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
