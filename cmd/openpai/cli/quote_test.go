package cli

import (
	"os/exec"
	"testing"
)

func TestShellQuote(t *testing.T) {
	t.Parallel()
	for arg, want := range map[string]string{
		"jobs/a-1.yaml": "jobs/a-1.yaml",
		"räum":          "räum",
		"":              "''",
		"two words":     "'two words'",
		"$x`y`":         "'$x`y`'",
		"it's":          `'it'\''s'`,
		"*":             "'*'",
		"~/x":           "'~/x'",
	} {
		got := shellQuote(arg)
		if got != want {
			t.Errorf("%q is written %s, want %s", arg, got, want)
		}
		if out, err := exec.Command("sh", "-c", "printf %s "+got).Output(); err != nil || string(out) != arg {
			t.Errorf("a shell reads %s as %q (%v)", got, out, err)
		}
	}
}
