// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/schema"
)

// languages maps names to the schemas of input files.
var languages = map[string]func() []byte{
	"hcl":      schema.HCL,
	"protocol": schema.Protocol,
}

func newSchemaCmd(s *Streams) *cobra.Command {
	names := append(slices.Sorted(maps.Keys(languages)), document.Names()...)
	return &cobra.Command{
		Use:   "schema [hcl|protocol|OUTPUT]",
		Short: "Print a JSON Schema for the language or for the --json output of a command",
		Long: dedent(`
			Print the JSON Schema for *.pai.hcl.json files (hcl, the default) or for
			OpenPAI protocol YAML (protocol). Editors use the schema for completion and
			validation.

			OUTPUT is one of these --json outputs, listed with the commands that print it:

` + outputList() + `
			If a command fails before its first result, it prints the output
			"diagnostics" instead of its usual output. Commands that print events
			report this failure as events instead. All outputs have the same
			format_version and contain a "diagnostics" list. Programs that read
			an output must accept any minor version, because a new minor version
			only adds fields.

			Exit codes: 0 success, 1 error.

			    openpai schema hcl
			    openpai schema protocol >openpai-protocol.schema.json
			    openpai schema plan >plan.schema.json`),
		Args:      arguments(0, 1),
		ValidArgs: names,
		RunE: func(_ *cobra.Command, args []string) error {
			name := "hcl"
			if len(args) > 0 {
				name = args[0]
			}
			text := []byte(nil)
			switch {
			case languages[name] != nil:
				text = languages[name]()
			case slices.Contains(names, name):
				text = document.Schema(name)
			default:
				return fmt.Errorf("unknown schema %q; use %s.%s", name, strings.Join(names, ", "), hclspec.Suggest(name, names))
			}
			_, err := s.out.Write(text)
			return err
		},
	}
}

func outputList() string {
	const width = 56
	var b strings.Builder
	for _, name := range document.Names() {
		line := ""
		for command := range strings.SplitSeq(document.Commands(name), ", ") {
			if len(line)+len(command) > width {
				fmt.Fprintf(&b, "\t\t\t    %-14s %s,\n", name, line)
				name, line = "", ""
			}
			if line != "" {
				line += ", "
			}
			line += command
		}
		fmt.Fprintf(&b, "\t\t\t    %-14s %s\n", name, line)
	}
	return b.String()
}
