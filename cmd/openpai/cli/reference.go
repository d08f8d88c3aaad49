// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const referenceFront = "---\npage_title: \"The command line\"\ndescription: |-\n  Every command of openpai, with its flags and examples.\n---\n\n" +
	"<!-- Generated from the command tree by `make generate`. -->\n\n# The command line\n\n"

// Reference returns docs/guides/cli.md, generated from the command tree. It does not depend on
// the machine or the build.
func Reference() []byte {
	root := newRootCmd(&Streams{}, release)
	var b bytes.Buffer
	b.WriteString(referenceFront)
	writeText(&b, root.Long)
	for _, g := range root.Groups() {
		if g.ID == groupOthers {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n\n", g.Title)
		for _, c := range commandsOf(root, g.ID) {
			fmt.Fprintf(&b, "- [`%s`](#openpai-%s): %s\n", c.Name(), c.Name(), lowerFirst(c.Short))
		}
	}
	b.WriteString("\nEvery command has these flags:\n")
	writeFlags(&b, root.PersistentFlags())
	for _, g := range root.Groups() {
		for _, c := range commandsOf(root, g.ID) {
			writeCommand(&b, c)
			for _, sub := range c.Commands() {
				writeCommand(&b, sub)
			}
		}
	}
	return b.Bytes()
}

// commandsOf preserves the source order.
func commandsOf(root *cobra.Command, group string) []*cobra.Command {
	var all []*cobra.Command
	for _, c := range root.Commands() {
		if c.GroupID == group && c.Name() != "help" && c.Name() != "completion" {
			all = append(all, c)
		}
	}
	return all
}

func writeCommand(b *bytes.Buffer, c *cobra.Command) {
	usage := c.UseLine()
	if c.HasSubCommands() && !c.Runnable() {
		usage = c.CommandPath() + " COMMAND"
	}
	fmt.Fprintf(b, "\n## %s\n\n    %s\n\n", c.CommandPath(), usage)
	writeText(b, cmp.Or(c.Long, c.Short+"."))
	if !c.HasAvailableLocalFlags() {
		return
	}
	writeFlags(b, c.LocalFlags())
}

func writeFlags(b *bytes.Buffer, flags *pflag.FlagSet) {
	b.WriteString("\n| flag | meaning |\n| --- | --- |\n")
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" {
			return
		}
		fmt.Fprintf(b, "| %s | %s |\n", flagCell(f), strings.NewReplacer("|", `\|`, "*", `\*`).Replace(meaning(f)))
	})
}

func flagCell(f *pflag.Flag) string {
	name := "--" + f.Name
	if value, _ := pflag.UnquoteUsage(f); value != "" {
		if f.NoOptDefVal != "" {
			name += "[=" + value + "]"
		} else {
			name += " " + value
		}
	}
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	return "`" + name + "`"
}

func meaning(f *pflag.Flag) string {
	_, usage := pflag.UnquoteUsage(f)
	switch f.DefValue {
	case "", "[]", "false", "0", "0s", "-1":
		return usage
	}
	return usage + " (default `" + f.DefValue + "`)"
}

// writeText writes a help text as paragraphs. It escapes asterisks, except in code
// blocks, where Markdown would show the backslash.
func writeText(b *bytes.Buffer, s string) {
	for line := range strings.Lines(strings.TrimSpace(s) + "\n") {
		if !strings.HasPrefix(line, "    ") {
			line = strings.ReplaceAll(line, "*", `\*`)
		}
		b.WriteString(line)
	}
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
