package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestReferenceIsUpToDate guards docs/cli.md; make generate writes it.
func TestReferenceIsUpToDate(t *testing.T) {
	t.Parallel()
	written, err := os.ReadFile("../../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(written, Reference()) {
		t.Error("docs/cli.md differs from the command tree; run make generate")
	}
}

// TestEveryCommandSaysWhatItsExitCodesMean keeps the help honest.
func TestEveryCommandSaysWhatItsExitCodesMean(t *testing.T) {
	t.Parallel()
	each(newRootCmd(&Streams{}, release), func(c *cobra.Command) {
		switch c.Name() {
		case "version", "help", "completion":
			return
		}
		if !strings.Contains(c.Long, "Exit codes:") && !c.HasSubCommands() {
			t.Errorf("the help of %q tells no exit codes", c.CommandPath())
		}
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("the short help of %q is no title", c.CommandPath())
		}
		for line := range strings.Lines(c.Long) {
			if len(line) > 81 || strings.HasPrefix(line, "\t") {
				t.Errorf("the help of %q has a line that does not fit: %q", c.CommandPath(), line)
			}
		}
	})
}

func each(c *cobra.Command, visit func(*cobra.Command)) {
	visit(c)
	for _, sub := range c.Commands() {
		each(sub, visit)
	}
}
