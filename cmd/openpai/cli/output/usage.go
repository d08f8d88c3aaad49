package output

import (
	"fmt"
	"io"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// usageCells are the columns CPU and MEMORY of a task or job.
func usageCells(u *cluster.Usage) []string {
	if u == nil {
		return []string{"-", "-"}
	}
	return []string{fmt.Sprintf("%.2f", u.CPU), quantity.Bytes(u.Memory)}
}

// totalCells are the columns of a job: what its measured tasks use together.
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

// showUsageUnknown prints once each reason why it is not known what tasks use.
func showUsageUnknown(out io.Writer, indent string, all ...*cluster.Status) {
	var reasons []string
	for _, st := range all {
		if st.UsageUnknown != "" && !slices.Contains(reasons, st.UsageUnknown) {
			reasons = append(reasons, st.UsageUnknown)
			fmt.Fprintf(out, "%susage: not known here: %s\n", indent, Clean(st.UsageUnknown))
		}
	}
}
