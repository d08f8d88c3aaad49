// SPDX-License-Identifier: MPL-2.0

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

// anyNumber is the maximum for commands that accept any number of arguments.
const anyNumber = math.MaxInt

// arguments checks the number of arguments. The error shows the usage of the
// command.
func arguments(minimum, maximum int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		usage := strings.TrimSuffix(cmd.UseLine(), " [flags]")
		switch {
		case len(args) < minimum:
			return fmt.Errorf("missing argument. Usage: %s", usage)
		case len(args) > maximum:
			return fmt.Errorf("unexpected argument %q. Usage: %s", args[maximum], usage)
		}
		return nil
	}
}

// flagError describes an invalid flag and refers to the command's help.
func flagError(cmd *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
		text    string
	)
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "":
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
		input := "--" + unknown.GetSpecifiedName()
		text = fmt.Sprintf("unknown flag %s.%s", input, hclspec.Suggest(input, known))
	case errors.As(err, &missing):
		text = fmt.Sprintf("--%s requires a value: %s.", missing.GetFlag().Name, flagTakes(missing.GetFlag()))
	case errors.As(err, &invalid):
		text = fmt.Sprintf("invalid value %[3]q for --%[1]s: must be %[2]s.", invalid.GetFlag().Name, flagTakes(invalid.GetFlag()), invalid.GetValue())
	case errors.As(err, &unknown):
		text = fmt.Sprintf("unknown flag -%s.", unknown.GetSpecifiedName())
	default:
		text = err.Error() + "."
	}
	return fmt.Errorf("%s See \"%s --help\"", text, cmd.CommandPath())
}

// flagTakes describes the value that a flag accepts.
func flagTakes(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "duration":
		return "a duration such as 5s or 5m"
	case "int":
		return "an integer"
	case (*attemptNumber)(nil).Type():
		return "a positive integer"
	case (*since)(nil).Type():
		return "a duration such as 90s or 1h30m, or a time such as 2026-11-23T10:00:00Z"
	case "bool":
		return fmt.Sprintf("a bool, for example --%s=false", f.Name)
	}
	name, _ := pflag.UnquoteUsage(f)
	return name
}
