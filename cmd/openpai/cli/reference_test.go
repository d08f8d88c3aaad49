// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
)

// TestReferenceIsUpToDate checks that docs/guides/cli.md matches the output of make
// generate.
func TestReferenceIsUpToDate(t *testing.T) {
	t.Parallel()
	written, err := os.ReadFile("../../../docs/guides/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(written, Reference()) {
		t.Error("docs/guides/cli.md differs from the command tree; run make generate")
	}
}

// TestReferenceShowsCodeAsItIs checks that code has no backslash before an asterisk.
func TestReferenceShowsCodeAsItIs(t *testing.T) {
	t.Parallel()
	code := 0
	for line := range strings.Lines(string(Reference())) {
		if !strings.HasPrefix(line, "    ") {
			continue
		}
		if code += strings.Count(line, "*"); strings.Contains(line, `\*`) {
			t.Errorf("an escape in code: %s", line)
		}
	}
	if code == 0 {
		t.Error("no example has a pattern")
	}
}

// TestEveryCommandDocumentsItsExitCodes checks that each help text documents the
// exit codes.
func TestEveryCommandDocumentsItsExitCodes(t *testing.T) {
	t.Parallel()
	each(newRootCmd(&Streams{}, release), func(c *cobra.Command) {
		switch c.Name() {
		case "version", "help", "completion":
			return
		}
		if c.HasParent() && c.Parent().Name() == "completion" {
			return // cobra's text
		}
		if !strings.Contains(c.Long, "Exit codes:") && !c.HasSubCommands() {
			t.Errorf("the help of %q shows no exit codes", c.CommandPath())
		}
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("the short help of %q is not a title", c.CommandPath())
		}
		for line := range strings.Lines(c.Long) {
			if len(line) > 81 || strings.HasPrefix(line, "\t") {
				t.Errorf("the help of %q has a line of more than 80 characters: %q", c.CommandPath(), line)
			}
		}
	})
}

// TestEveryCommandHasJSON checks that every command has JSON output.
func TestEveryCommandHasJSON(t *testing.T) {
	t.Parallel()
	each(newRootCmd(&Streams{}, release), func(c *cobra.Command) {
		if !c.HasSubCommands() && c.Flags().Lookup("json") == nil && c.Name() != "help" && c.Parent().Name() != "completion" {
			t.Errorf("%q has no --json", c.CommandPath())
		}
	})
}

func TestSchemasListTheirCommands(t *testing.T) {
	t.Parallel()
	kinds := map[string]func(*Streams, *cobra.Command){"results": (*Streams).registerResults, "event": (*Streams).registerEvents}
	usage := map[string]string{} // maps the usage text of --json to the name of the output
	for name, register := range kinds {
		c := &cobra.Command{}
		register(&Streams{}, c)
		usage[c.Flags().Lookup("json").Usage] = name
	}
	found := map[string][]string{}
	each(newRootCmd(&Streams{}, release), func(c *cobra.Command) {
		if f := c.Flags().Lookup("json"); f != nil && usage[f.Usage] != "" {
			name := usage[f.Usage]
			found[name] = append(found[name], strings.TrimPrefix(c.CommandPath(), "openpai "))
		}
	})
	for name := range kinds {
		listed := strings.Split(strings.TrimPrefix(document.Commands(name), "one per line: "), ", ")
		slices.Sort(listed)
		slices.Sort(found[name])
		if diff := cmp.Diff(found[name], listed); diff != "" {
			t.Errorf("%s (-commands +listed)\n%s", name, diff)
		}
	}
}

// TestEveryHelpHasExamples checks that each help text has examples that the command
// accepts.
func TestEveryHelpHasExamples(t *testing.T) {
	t.Parallel()
	each(newRootCmd(&Streams{}, release), func(c *cobra.Command) {
		examples := 0
		for line := range strings.Lines(c.Long) {
			text, is := strings.CutPrefix(line, "    openpai ")
			if !is {
				continue
			}
			examples++
			words := strings.Fields(strings.ReplaceAll(text, "'", ""))
			words = words[:len(words):len(words)]
			if i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, ">") || w == "|" }); i >= 0 {
				words = words[:i]
			}
			root := newRootCmd(&Streams{}, release)
			root.InitDefaultVersionFlag()
			found, rest, err := root.Find(words)
			if err == nil {
				err = found.ParseFlags(rest)
			}
			if err == nil && found.HasParent() && found.Args != nil {
				err = found.ValidateArgs(found.Flags().Args())
			}
			if err != nil {
				t.Errorf("%s: the example %q: %v", c.CommandPath(), strings.TrimSpace(line), err)
			}
		}
		if examples < 2 {
			t.Errorf("the help of %q has %d examples", c.CommandPath(), examples)
		}
	})
}

func TestErrorsOfFlagsDescribeTheAcceptedValues(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"wait --timeout 5":     `invalid value "5" for --timeout: must be a duration such as 5s or 5m. See "openpai wait --help"`,
		"logs --tail some":     `invalid value "some" for --tail: must be an integer. See "openpai logs --help"`,
		"plan --offline=maybe": `invalid value "maybe" for --offline: must be a bool, for example --offline=false. See "openpai plan --help"`,
		"run --var":            `--var requires a value: NAME=VALUE. See "openpai run --help"`,
		"plan -x":              `unknown flag -x. See "openpai plan --help"`,
		"plan --oflline":       `unknown flag --oflline. Did you mean "--offline"? See "openpai plan --help"`,
	} {
		root := newRootCmd(&Streams{}, release)
		root.SetArgs(strings.Fields(line))
		if err := root.Execute(); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

func each(c *cobra.Command, visit func(*cobra.Command)) {
	visit(c)
	for _, sub := range c.Commands() {
		each(sub, visit)
	}
}

var commandInText = regexp.MustCompile("(?m)(?:`|^ *\\$ |cmd/)openpai ([a-z]+)")

// TestPagesNameCommandsThatExist checks that the commands in hand-written pages exist.
func TestPagesNameCommandsThatExist(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, c := range newRootCmd(&Streams{}, release).Commands() {
		known[c.Name()] = true
	}
	pages, err := filepath.Glob("../../../docs/guides/*.md")
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
				t.Errorf("%s contains %q, which is not a command", page, found[0])
			}
		}
	}
	if named < 20 {
		t.Errorf("only %d commands were found in the pages", named)
	}
}
