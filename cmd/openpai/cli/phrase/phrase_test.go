// SPDX-License-Identifier: MPL-2.0

package phrase_test

import (
	"testing"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

func TestEveryHintAndOptionHasWords(t *testing.T) {
	t.Parallel()
	for _, kind := range message.HintKinds() {
		if text := phrase.Of(message.Hint{Kind: kind}); text == "" {
			t.Errorf("the hint %s is empty", kind)
		}
	}
	for _, kind := range message.AdviceKinds() {
		if text := phrase.Of(message.Advice{Kind: kind, Use: "logs"}); text == "" {
			t.Errorf("the advice %s: %q", kind, text)
		}
	}
	for _, command := range message.Commands() {
		if text := phrase.Of(command); text == "" {
			t.Errorf("the command %s is empty", command)
		}
	}
	for _, option := range message.Options() {
		if text := phrase.Of(option); text == "" {
			t.Errorf("the option %s is empty", option)
		}
	}
}
