package output

import (
	"fmt"
	"io"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// ClusterChecks are the checks of one cluster.
type ClusterChecks struct {
	Cluster   string        `json:"cluster"`
	Namespace string        `json:"namespace"`
	Checks    []checkResult `json:"findings"`
}

// checkResult is the result of a check with its advice in words.
type checkResult struct {
	Check  string         `json:"check"`
	Result cluster.Result `json:"result"`
	Found  string         `json:"found"`
	Advice string         `json:"advice,omitempty"`
}

// NewClusterChecks puts the advice of results into words.
func NewClusterChecks(name, namespace string, all []cluster.CheckResult) ClusterChecks {
	out := ClusterChecks{Cluster: name, Namespace: namespace, Checks: make([]checkResult, len(all))}
	for i, f := range all {
		out.Checks[i] = checkResult{f.Check, f.Result, f.Found, f.Advice.Phrase(view.Phrase)}
	}
	return out
}

// Checks prints a table for each cluster, then what to do.
func Checks(out io.Writer, all []ClusterChecks) {
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

// showAdvice prints each advice once, with all that it is for.
func showAdvice(out io.Writer, checks []checkResult) {
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

func verdict(checks []checkResult) string {
	counts := map[cluster.Result]int{}
	for _, f := range checks {
		counts[f.Result]++
	}
	missing, unknown := counts[cluster.ResultMissing], counts[cluster.ResultUnknown]
	switch {
	case missing > 0:
		return fmt.Sprintf("%d of %d checks found something missing.", missing, len(checks))
	case unknown > 0:
		return fmt.Sprintf("Nothing is known to be missing; %d of %d checks could not tell.", unknown, len(checks))
	}
	return "Nothing is missing."
}
