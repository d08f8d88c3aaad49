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

// arguments returns a function that checks the number of arguments. Its
// errors show the usage of the command.
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

// noSubcommand checks the arguments of a command that only has subcommands: any argument
// is an unknown subcommand.
func noSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var known []string
	for _, c := range cmd.Commands() {
		known = append(known, c.Name())
	}
	return fmt.Errorf("unknown command %q.%s See \"%s --help\"", cmd.CommandPath()+" "+args[0], hclspec.Suggest(args[0], known), cmd.CommandPath())
}

func printHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// registerIndex adds the flag --index. Without the flag, index is -1, which the usage
// does not show as a default.
func registerIndex(flags *pflag.FlagSet, index *int, usage string) {
	flags.IntVar(index, "index", -1, usage)
	flags.Lookup("index").DefValue = "0"
}

// flagError describes an invalid flag and refers to the command's help.
func flagError(cmd *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
		text    string
	)
	switch arguments := cmd.Flags().Args(); {
	case !cmd.HasParent() && len(arguments) > 0: // its flags belong to the unknown command
		return noSubcommand(cmd, arguments)
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
	case "int64":
		return "an integer number of MiB"
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
