package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
)

func TestLastLinesDoNotWriteToTheTerminalByThemselves(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ line, want string }{
		"text of any language passes": {"a\té漢😀", "a\té漢😀"},
		"colours are left out":        {"\x1b[1;31mError\x1b[0m: x", "Error: x"},
		"the screen is not cleared":   {"\x1b[2J\x1b[Hx\x1b]0;title\x07", "x]0;title"},
		"a progress bar is its end":   {"10%\r50%\r100%\r", "100%"},
		"other controls are left out": {"a\x00b\x08\u009bc", "abc"},
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
