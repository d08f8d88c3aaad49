// SPDX-License-Identifier: MPL-2.0

package phrase_test

import (
	"strings"
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

func TestHintsSelectAJobWhoseAddressLooksLikeAPath(t *testing.T) {
	t.Parallel()
	for address, want := range map[string][2]string{
		"job.train":         {"openpai adopt job.train", "use --rerun job.train to"},
		"job.yaml":          {"openpai adopt --job yaml", "use --rerun=job.yaml to"},
		`job["a/b"]`:        {`openpai adopt --job 'job["a/b"]'`, `use --rerun='job["a/b"]' to`},
		`job.exp["x"]`:      {`openpai adopt 'job.exp["x"]'`, `use --rerun 'job.exp["x"]' to`},
		"module.m.job.json": {"openpai adopt --job module.m.job.json", "use --rerun=module.m.job.json to"},
	} {
		for n, kind := range []message.HintKind{message.HintAdopt, message.HintReplace} {
			if got := phrase.Of(message.Hint{Kind: kind, Address: address}); !strings.Contains(got, want[n]) {
				t.Errorf("%s: %q lacks %q", address, got, want[n])
			}
		}
	}
}
