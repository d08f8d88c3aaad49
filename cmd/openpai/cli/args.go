package cli

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// anyNumber is for commands that take as many arguments as are given.
const anyNumber = math.MaxInt

// arguments accepts from minimum to maximum arguments; an error for others
// shows the usage.
func arguments(minimum, maximum int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		usage := strings.TrimSuffix(cmd.UseLine(), " [flags]")
		switch {
		case len(args) < minimum:
			return fmt.Errorf("an argument is missing. The command is used like this: %s", usage)
		case len(args) > maximum:
			return fmt.Errorf("%q is an argument too many. The command is used like this: %s", args[maximum], usage)
		}
		return nil
	}
}

// flagError explains a mistake in the flags of a command.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return fmt.Errorf("%w. See \"%s --help\"", err, cmd.CommandPath())
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	input := "--" + unknown.GetSpecifiedName()
	return fmt.Errorf("there is no flag %s.%s See \"%s --help\"", input, hclspec.Suggest(input, known), cmd.CommandPath())
}
