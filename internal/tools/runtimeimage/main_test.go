// SPDX-License-Identifier: MPL-2.0

package main

import (
	"io"
	"strings"
	"testing"
)

func TestInvalidArgumentsAreRejected(t *testing.T) {
	for name, args := range map[string][]string{
		"no program":   {"-out", "x"},
		"nowhere to":   {"amd64=x"},
		"a file alone": {"-out", "x", "file"},
		"two bases":    {"-out", "x", "-shell", "-base", "image", "amd64=x"},
	} {
		if err := run(t.Context(), args, io.Discard); err == nil || !strings.HasPrefix(err.Error(), "usage: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
