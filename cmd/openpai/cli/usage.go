// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bytes"
	"regexp"

	"github.com/spf13/cobra"
)

// optionalValue matches the usage line that pflag prints for a flag with an optional
// value. For example, pflag prints --rerun ADDRESS[=*]. This form suggests that
// ADDRESS is required, and shows "*", the internal value rerunAll.
var optionalValue = regexp.MustCompile(`(--[a-z-]+) ([A-Z]+)\[=\*\]`)

// formatUsage writes flags with an optional value in the form
// --rerun[=ADDRESS].
func formatUsage(root *cobra.Command) {
	usage := root.UsageFunc()
	root.SetUsageFunc(func(c *cobra.Command) error {
		var text bytes.Buffer
		out := c.OutOrStderr()
		c.SetOut(&text)
		err := usage(c)
		c.SetOut(out)
		if err != nil {
			return err
		}
		// Two spaces keep the descriptions aligned.
		_, err = out.Write(optionalValue.ReplaceAll(text.Bytes(), []byte("$1[=$2]  ")))
		return err
	})
}
