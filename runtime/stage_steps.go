// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"cmp"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/locator"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// enterStep numbers only the steps that perform an action when the task
// starts.
func (t *task) enterStep(i int) {
	r := stage.Record{Stage: stage.Prerequisite, Step: title(&t.Spec.Steps[i])}
	for k := range t.Spec.Steps {
		if !hasStartAction(&t.Spec.Steps[k]) {
			continue
		}
		if r.Count++; k <= i {
			r.Number++
		}
	}
	t.stages.enter(r)
}

// enterFetch enters the stage Fetching for a download. It numbers the
// downloads of all steps consecutively.
func (t *task) enterFetch(step *runspec.Step, f *runspec.Fetch, resolved *runspec.Fetch) {
	r := stage.Record{Stage: stage.Fetching, Step: title(step), Fetch: &stage.Progress{Source: locator.Show(resolved.URL)}}
	for i := range t.Spec.Steps {
		for k := range t.Spec.Steps[i].Fetch {
			r.Count++
			if &t.Spec.Steps[i].Fetch[k] == f {
				r.Number = r.Count
			}
		}
	}
	t.stages.enter(r)
}

// progressInterval is the minimum time between two progress records of a
// download.
const progressInterval = time.Second

// smoothing is the weight of the last interval in a download's rate.
const smoothing = 0.4

// meter computes the progress from the size of a growing file.
type meter struct {
	stages *stages
	now    func() time.Time
	at     time.Time // time of the last report
	bytes  int64
	rate   float64
}

// report records the progress of a download in bytes. A total of -1 means
// that the size is unknown.
func (m *meter) report(bytes, total int64) {
	now := m.now()
	if m.at.IsZero() || bytes < m.bytes { // the first report, or the download restarted
		m.at, m.bytes = now, bytes
		m.stages.progress(stage.Progress{Bytes: bytes, Total: max(total, 0), Rate: int64(m.rate)})
		return
	}
	passed := now.Sub(m.at)
	if passed < progressInterval {
		return
	}
	last := float64(bytes-m.bytes) / passed.Seconds()
	m.rate = cmp.Or(m.rate, last)
	m.rate += smoothing * (last - m.rate)
	m.at, m.bytes = now, bytes
	m.stages.progress(stage.Progress{Bytes: bytes, Total: max(total, 0), Rate: int64(m.rate)})
}
