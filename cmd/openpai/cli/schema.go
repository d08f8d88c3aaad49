package cli

import (
	"fmt"
	"sort"
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
	names := make([]string, 0, len(schemas))
	for name := range schemas {
		names = append(names, name)
	}
	sort.Strings(names)
	return &cobra.Command{
		Use:   "schema hcl|protocol",
		Short: "Print a JSON Schema for editors",
		Long: text(`
			Prints the JSON Schema of *.pai.hcl.json files (hcl) or of OpenPAI protocol
			YAML (protocol), for completion and checks while typing.

			Exit codes: 0 success, 1 error.`),
		Args:      cobra.ExactArgs(1),
		ValidArgs: names,
		RunE: func(_ *cobra.Command, args []string) error {
			write, ok := schemas[args[0]]
			if !ok {
				return fmt.Errorf("there is no schema %q; known are %s.%s", args[0], strings.Join(names, " and "), hclspec.Suggest(args[0], names))
			}
			_, err := s.out.Write(write())
			return err
		},
	}
}
