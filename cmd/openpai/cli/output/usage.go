// SPDX-License-Identifier: MPL-2.0

package output

import (
	"fmt"
	"io"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// usageCells returns the cells CPU and MEMORY.
func usageCells(u *cluster.Usage) []string {
	if u == nil {
		return []string{"-", "-"}
	}
	return []string{fmt.Sprintf("%.2f", u.CPU), quantity.Bytes(u.Memory)}
}

// totalCells returns the cells for the sum of the measured tasks.
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

// showUsageUnknown prints each distinct reason for an unknown usage.
func showUsageUnknown(out io.Writer, indent string, all ...*cluster.Status) {
	var reasons []string
	for _, st := range all {
		if st.UsageUnknown != "" && !slices.Contains(reasons, st.UsageUnknown) {
			reasons = append(reasons, st.UsageUnknown)
			fmt.Fprintf(out, "%susage unknown: %s\n", indent, Clean(st.UsageUnknown))
		}
	}
}
