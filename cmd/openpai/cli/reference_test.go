package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
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

var commandInText = regexp.MustCompile("(?m)(?:`|^ *\\$ |cmd/)openpai ([a-z]+)")

// TestPagesNameCommandsThatExist reads the pages that people write.
func TestPagesNameCommandsThatExist(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, c := range newRootCmd(&Streams{}, release).Commands() {
		known[c.Name()] = true
	}
	pages, err := filepath.Glob("../../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, page := range append(pages, "../../../README.md", "../../../examples/README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range commandInText.FindAllSubmatch(text, -1) {
			named++
			if !known[string(found[1])] {
				t.Errorf("%s names %q, which is no command", page, found[0])
			}
		}
	}
	if named < 20 {
		t.Errorf("only %d commands were found in the pages", named)
	}
}
