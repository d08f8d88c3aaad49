// SPDX-License-Identifier: MPL-2.0

package output

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
)

func TestLastLinesDoNotWriteToTheTerminalByThemselves(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ line, want string }{
		"text in any language is unchanged":              {"a\té漢😀", "a\té漢😀"},
		"colors are omitted":                             {"\x1b[1;31mError\x1b[0m: x", "Error: x"},
		"the screen is not cleared":                      {"\x1b[2J\x1b[Hx\x1b]0;title\x07", "x"},
		"only the last state of a progress bar is shown": {"10%\r50%\r100%\r", "100%"},
		"other controls are omitted":                     {"a\x00b\x08\u009bc", "abc"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			showFailure(&out, "w[0]", &exitspec.Record{LastLines: []string{c.line}})
			_, got, _ := strings.Cut(out.String(), "Last lines:\n")
			if diff := cmp.Diff("      | "+c.want+"\n", got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestAFailureShowsTheReasonAndAdviceOfItsRecord(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		exit *exitspec.Record
		want string
	}{
		"a name at the beginning keeps its case": {
			&exitspec.Record{UserCode: 1, Phrase: "P", Reason: "hello is not there", Advice: "nvidia-smi shows more"},
			"\n  w[0] failed with exit code 1: P\n    reason: hello is not there\n    advice: nvidia-smi shows more\n"},
		"the step is shown unless the reason contains it": {
			&exitspec.Record{UserCode: 1, Phrase: "P", Reason: "no space is left", Step: "prerequisite.data.mnist"},
			"\n  w[0] failed with exit code 1: P\n    reason: no space is left\n    step: prerequisite.data.mnist\n"},
		"text from other programs does not control the terminal": {
			&exitspec.Record{UserCode: 1, Phrase: "P", Reason: "a\x1b[2Jb\nc"},
			"\n  w[0] failed with exit code 1: P\n    reason: a\\x1b[2Jb c\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			showFailure(&out, "w[0]", c.exit)
			if diff := cmp.Diff(c.want, out.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
