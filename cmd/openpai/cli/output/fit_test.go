// SPDX-License-Identifier: MPL-2.0

package output

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// TestRowsFitOnTheTerminal checks that a long stage does not wrap the row of a job.
func TestRowsFitOnTheTerminal(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	fetching := &stage.Record{Stage: stage.Fetching, Reason: strings.Repeat("no answer ", 20), Fetch: &stage.Progress{Source: "http://x/ImageNet-2012.tar"}}
	var all []Summary
	for n := range 12 {
		all = append(all, Summary{GPUs: 8, Status: &cluster.Status{
			Address: fmt.Sprintf("job.experiment[\"learning-rate-%d\"]", n), State: "RUNNING",
			TaskRoles: []cluster.TaskRole{{Name: "w", Tasks: []cluster.Task{{Attempts: []cluster.TaskAttempt{{Stage: fetching}}}}}},
		}})
	}
	var unlimited bytes.Buffer
	Summaries(&unlimited, all, false, 0, now)
	if n := longestLine(unlimited.String()); n < 120 {
		t.Errorf("without a terminal, the longest line has only %d columns:\n%s", n, unlimited.String())
	}
	for _, width := range []int{80, 120} {
		var out bytes.Buffer
		Summaries(&out, all, false, width, now)
		if n := longestLine(out.String()); n >= width || !strings.Contains(out.String(), "...  0/1    -    8\n") {
			t.Errorf("on %d columns, the longest line has %d:\n%s", width, n, out.String())
		}
	}
	var folded bytes.Buffer
	FoldedSummaries(&folded, all, 140, now)
	if n := longestLine(folded.String()); n >= 140 || !strings.Contains(folded.String(), "0/12   -    96\n") {
		t.Errorf("the longest line has %d:\n%s", n, folded.String())
	}
}

func longestLine(text string) (columns int) {
	for line := range strings.Lines(text) {
		columns = max(columns, len([]rune(strings.TrimSpace(line))))
	}
	return columns
}
