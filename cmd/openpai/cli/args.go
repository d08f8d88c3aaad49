package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// onePath accepts an optional PATH. The value of --rerun is written with an
// equals sign, which is easily forgotten.
func onePath(cmd *cobra.Command, args []string) error {
	if len(args) <= 1 {
		return nil
	}
	if f := cmd.Flags().Lookup("rerun"); f != nil && f.Changed {
		for _, a := range args {
			if strings.HasPrefix(a, "job.") {
				return fmt.Errorf("one PATH is accepted, and %d were given: %s. To run one job again write --rerun=%s", len(args), strings.Join(args, " "), a)
			}
		}
	}
	return fmt.Errorf("one PATH is accepted, and %d were given: %s", len(args), strings.Join(args, " "))
}
