// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestOnlyYesConfirms(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]error{
		"yes\n":   nil,
		" yes \n": nil,
		"yes":     nil, // without a line break at the end
		"y\n":     errDeclined,
		"YES\n":   errDeclined,
		"\n":      errDeclined,
		"":        errDeclined,
	} {
		t.Run(answer, func(t *testing.T) {
			t.Parallel()
			var asked bytes.Buffer
			s := &Streams{in: strings.NewReader(answer), asking: &asked, interactive: true}
			if err := confirm(t.Context(), s, "Continue?", "--yes"); !errors.Is(err, want) {
				t.Errorf("the answer %q returns %v, want %v", answer, err, want)
			}
			if !strings.Contains(asked.String(), "Continue?") {
				t.Errorf("the prompt is missing in %q", asked.String())
			}
		})
	}
}

func TestConfirmEndsWithTheContext(t *testing.T) {
	t.Parallel()
	silent, w := io.Pipe()
	t.Cleanup(func() { _ = w.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &Streams{in: silent, asking: io.Discard, interactive: true}
	if err := confirm(ctx, s, "Continue?", "--yes"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the error of the context", err)
	}
}

func TestConfirmWithoutATerminalNamesTheFlag(t *testing.T) {
	t.Parallel()
	err := confirm(t.Context(), &Streams{}, "Continue?", "--yes to continue")
	if err == nil || !strings.Contains(err.Error(), "--yes to continue") {
		t.Errorf("the error is %v", err)
	}
}
