// SPDX-License-Identifier: MPL-2.0

package output

import (
	"fmt"
	"io"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// usageCells returns the CPU and MEMORY cells of a task or job.
func usageCells(u *cluster.Usage) []string {
	if u == nil {
		return []string{"-", "-"}
	}
	return []string{fmt.Sprintf("%.2f", u.CPU), quantity.Bytes(u.Memory)}
}

// totalCells returns the usage cells of a job: the sum over its measured tasks.
func totalCells(st *cluster.Status) []string {
	total, known := st.TotalUsage()
	if known == 0 {
		return usageCells(nil)
	}
	return usageCells(&total)
}

func hasUsage(st *cluster.Status) bool {
	_, known := st.TotalUsage()
	return known > 0
}

// showUsageUnknown prints each distinct reason why the usage is unknown.
func showUsageUnknown(out io.Writer, indent string, all ...*cluster.Status) {
	var reasons []string
	for _, st := range all {
		if st.UsageUnknown != "" && !slices.Contains(reasons, st.UsageUnknown) {
			reasons = append(reasons, st.UsageUnknown)
			fmt.Fprintf(out, "%susage unknown: %s\n", indent, Clean(st.UsageUnknown))
		}
	}
}
