// SPDX-License-Identifier: MPL-2.0

package output

import (
	"fmt"
	"io"
	"strings"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// Checks prints a table, the advice and a verdict for each cluster.
func Checks(out io.Writer, all []document.ClusterChecks) {
	for n, c := range all {
		if n > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "Cluster %s, namespace %s\n\n", c.Cluster, c.Namespace)
		var rows [][]string
		for _, f := range c.Checks {
			rows = append(rows, []string{string(f.Result), f.Check, f.Found})
		}
		Table(out, rows)
		showAdvice(out, c.Checks)
		fmt.Fprintf(out, "\n%s\n", verdict(c.Checks))
	}
}

// showAdvice prints each piece of advice once, with its checks.
func showAdvice(out io.Writer, checks []document.CheckResult) {
	for _, result := range []cluster.Result{cluster.ResultMissing, cluster.ResultWarning, cluster.ResultUnknown} {
		var order []string
		about := map[string][]string{}
		for _, f := range checks {
			if f.Result != result || f.Advice == "" {
				continue
			}
			if len(about[f.Advice]) == 0 {
				order = append(order, f.Advice)
			}
			about[f.Advice] = append(about[f.Advice], f.Check)
		}
		for _, advice := range order {
			fmt.Fprintf(out, "\n%s: %s\n  %s\n", result, Clean(strings.Join(about[advice], ", ")), Clean(advice))
		}
	}
}

func verdict(checks []document.CheckResult) string {
	counts := map[cluster.Result]int{}
	for _, f := range checks {
		counts[f.Result]++
	}
	missing, unknown := counts[cluster.ResultMissing], counts[cluster.ResultUnknown]
	switch {
	case missing > 0:
		return fmt.Sprintf("%d of %d checks failed.", missing, len(checks))
	case unknown > 0:
		return fmt.Sprintf("No known problems, but the results of %d of %d checks are unknown.", unknown, len(checks))
	}
	return "Nothing is missing."
}
