// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/message"
)

func TestEveryHintAndOptionHasWordsOfTerraform(t *testing.T) {
	t.Parallel()
	for _, kind := range message.HintKinds() {
		if text := phrase(message.Hint{Kind: kind}); text == "" || strings.Contains(text, "openpai ") && kind != message.HintRepair && kind != message.HintRepairKey || strings.Contains(text, "--") {
			t.Errorf("the hint %s: %q", kind, text)
		}
	}
	for _, kind := range message.AdviceKinds() {
		if text := phrase(message.Advice{Kind: kind, Use: "logs"}); text == "" || strings.Contains(text, "cluster block") {
			t.Errorf("the advice %s: %q", kind, text)
		}
	}
	for _, command := range message.Commands() {
		if text := phrase(command); text == "" {
			t.Errorf("the command %s is empty", command)
		}
	}
	for _, option := range message.Options() {
		if text := phrase(option); text == "" || strings.Contains(text, "--") {
			t.Errorf("the option %s: %q", option, text)
		}
	}
}

func TestAdviceForAForeignJobDependsOnItsWorkspace(t *testing.T) {
	t.Parallel()
	hint := message.Hint{Kind: message.HintAdopt, Address: "job.mnist", Job: "alice~mnist"}
	if got, want := phrase(hint), "import the existing job with: terraform import ADDRESS alice~mnist"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	hint.Workspace = "vision"
	if got, want := phrase(hint), "set that workspace in the provider block."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
