package cli

import (
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// show prints a table for each cluster, then what to do.
func (o *clusterCheckOptions) show(all []clusterFindings) {
	for n, c := range all {
		if n > 0 {
			fmt.Fprintln(o.streams.out)
		}
		fmt.Fprintf(o.streams.out, "Cluster %s, namespace %s\n\n", c.Cluster, c.Namespace)
		var rows [][]string
		for _, f := range c.Findings {
			rows = append(rows, []string{string(f.Result), f.Check, f.Found})
		}
		writeTable(o.streams.out, rows)
		o.showAdvice(c.Findings)
		fmt.Fprintf(o.streams.out, "\n%s\n", verdict(c.Findings))
	}
}

// findingJSON is a finding with its advice in words.
type findingJSON struct {
	Check  string         `json:"check"`
	Result cluster.Result `json:"result"`
	Found  string         `json:"found"`
	Advice string         `json:"advice,omitempty"`
}

func findingsJSON(all []cluster.Finding) []findingJSON {
	out := make([]findingJSON, len(all))
	for i, f := range all {
		out[i] = findingJSON{f.Check, f.Result, f.Found, f.Advice.Phrase(view.Phrase)}
	}
	return out
}

// showAdvice prints each advice once, with all that it is for.
func (o *clusterCheckOptions) showAdvice(findings []findingJSON) {
	for _, result := range []cluster.Result{cluster.ResultMissing, cluster.ResultWarning, cluster.ResultUnknown} {
		var order []string
		about := map[string][]string{}
		for _, f := range findings {
			if f.Result != result || f.Advice == "" {
				continue
			}
			if len(about[f.Advice]) == 0 {
				order = append(order, f.Advice)
			}
			about[f.Advice] = append(about[f.Advice], f.Check)
		}
		for _, advice := range order {
			fmt.Fprintf(o.streams.out, "\n%s: %s\n  %s\n", result, clean(strings.Join(about[advice], ", ")), clean(advice))
		}
	}
}

func verdict(findings []findingJSON) string {
	counts := map[cluster.Result]int{}
	for _, f := range findings {
		counts[f.Result]++
	}
	missing, unknown := counts[cluster.ResultMissing], counts[cluster.ResultUnknown]
	switch {
	case missing > 0:
		return fmt.Sprintf("%d of %d checks found something missing.", missing, len(findings))
	case unknown > 0:
		return fmt.Sprintf("Nothing is known to be missing; %d of %d checks could not tell.", unknown, len(findings))
	}
	return "Nothing is missing."
}
