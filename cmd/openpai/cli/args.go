package cli

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// onePath accepts an optional PATH. The value of --rerun is written with an
// equals sign, which is easily forgotten.
func onePath(cmd *cobra.Command, args []string) error {
	f := cmd.Flags().Lookup("rerun")
	for _, a := range args {
		if f != nil && f.Changed && strings.HasPrefix(a, "job.") && !present(a) {
			return fmt.Errorf("%s is taken for a PATH. To run one job again write --rerun=%s", a, a)
		}
	}
	if len(args) > 1 {
		return fmt.Errorf("one PATH is accepted, and %d were given: %s", len(args), strings.Join(args, " "))
	}
	return nil
}

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

func present(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// flagError explains a mistake in the flags of a command.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return fmt.Errorf("%w. See \"%s --help\"", err, cmd.CommandPath())
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	given := "--" + unknown.GetSpecifiedName()
	return fmt.Errorf("there is no flag %s.%s See \"%s --help\"", given, hclspec.Suggest(given, known), cmd.CommandPath())
}
