// SPDX-License-Identifier: MPL-2.0

package view_test

import (
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

func TestEveryHintAndOptionHasWords(t *testing.T) {
	t.Parallel()
	for _, kind := range message.HintKinds() {
		if text := view.Phrase(message.Hint{Kind: kind}); text == "" {
			t.Errorf("the hint %s is empty", kind)
		}
	}
	for _, kind := range message.AdviceKinds() {
		if text := view.Phrase(message.Advice{Kind: kind, Use: "logs"}); text == "" {
			t.Errorf("the advice %s: %q", kind, text)
		}
	}
	for _, command := range message.Commands() {
		if text := view.Phrase(command); text == "" {
			t.Errorf("the command %s is empty", command)
		}
	}
	for _, option := range message.Options() {
		if text := view.Phrase(option); text == "" {
			t.Errorf("the option %s is empty", option)
		}
	}
}
