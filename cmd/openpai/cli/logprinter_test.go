// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bytes"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

func TestNotesNameTheJobOfATask(t *testing.T) {
	t.Parallel()
	one, two := operation.Job{Address: "job.one"}, operation.Job{Address: "job.two"}
	worker := cluster.AttemptID{Role: "worker"}
	for want, jobs := range map[string][]operation.Job{
		"Note: worker[0]: kept.\nNote: worker[0]: cut.\n":         {two},
		"Note: two/worker[0]: kept.\nNote: two/worker[0]: cut.\n": {one, two},
	} {
		var out bytes.Buffer
		p := newLogPrinter(&Streams{err: &out}, jobs)
		p.sources = true
		p.Source(two, worker, message.Textf("kept"))
		p.Gap(two, worker, message.Textf("cut"))
		if out.String() != want {
			t.Errorf("%d jobs: %q, want %q", len(jobs), out.String(), want)
		}
	}
}
