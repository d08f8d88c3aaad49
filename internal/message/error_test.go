// SPDX-License-Identifier: MPL-2.0

package message_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/message"
)

func TestHintsFollowTheTextOfTheError(t *testing.T) {
	t.Parallel()
	phrase := message.Phrase(func(f message.Fact) string { return "try " + f.String() })
	cause := errors.New("it is missing")
	hinted := message.WithHint(cause, message.OptionVariable)
	tests := map[string]struct {
		err  error
		want string
	}{
		"an error without a hint":                    {cause, "it is missing"},
		"a hint follows the text":                    {hinted, "it is missing; try var"},
		"the hint of a cause follows the whole text": {fmt.Errorf("look: %w", hinted), "look: it is missing; try var"},
		"the first of two hints counts":              {message.WithHint(hinted, message.OptionPath), "it is missing; try path"},
		"joined errors have a hint each":             {errors.Join(hinted, cause, message.WithHint(cause, message.OptionPath)), "it is missing; try var\nit is missing\nit is missing; try path"},
		"causes with the same text appear only once": {fmt.Errorf("%w, %w", cause, hinted), "it is missing, it is missing; try var"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := phrase.Error(tt.err); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if !errors.Is(tt.err, cause) {
				t.Error("the cause is lost")
			}
		})
	}
	if text := message.Textf("Not found: %s.", hinted); text.Phrase(phrase) != "Not found: it is missing; try var." {
		t.Errorf("in a sentence: %q", text.Phrase(phrase))
	}
	if text := message.Textf("A %s B", message.Textf("<%s>", message.OptionVariable)); text.Phrase(phrase) != "A <try var> B" {
		t.Errorf("a text within a text: %q", text.Phrase(phrase))
	}
}
