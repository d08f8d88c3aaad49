// SPDX-License-Identifier: MPL-2.0

//go:build acc

package operation_test

import "testing"

func TestAPlanIsWhatApplyWritesInManyPairs(t *testing.T) {
	checkPairs(t, firstPairs, 10*firstPairs)
}
