package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/schema"
)

var schemas = map[string]func() []byte{
	"hcl":      schema.HCL,
	"protocol": schema.Protocol,
}

func newSchemaCmd(s *Streams) *cobra.Command {
	names := slices.Sorted(maps.Keys(schemas))
	return &cobra.Command{
		Use:   "schema [hcl|protocol]",
		Short: "Print a JSON Schema for editors",
		Long: dedent(`
			Prints the JSON Schema of *.pai.hcl.json files (hcl, the default) or of
			OpenPAI protocol YAML (protocol), for completion and checks while typing.

			Exit codes: 0 success, 1 error.

			    openpai schema hcl
			    openpai schema protocol >openpai-protocol.schema.json`),
		Args:      arguments(0, 1),
		ValidArgs: names,
		RunE: func(_ *cobra.Command, args []string) error {
			name := "hcl"
			if len(args) > 0 {
				name = args[0]
			}
			write, ok := schemas[name]
			if !ok {
				return fmt.Errorf("there is no schema %q; known are %s.%s", name, strings.Join(names, " and "), hclspec.Suggest(name, names))
			}
			_, err := s.out.Write(write())
			return err
		},
	}
}
