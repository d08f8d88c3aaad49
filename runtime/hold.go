//go:build unix

package runtime

import (
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// startHold makes the task held once a callback has run for some time after the
// result is known. The returned function ends that. A task that was asked to
// stop is never held, and taskSucceeds never holds: it may still change the
// result.
func (t *task) startHold(e endCallback) (end func()) {
	if e.callback.Event == contract.EventTaskSucceeds || t.record.Stopped {
		return func() {}
	}
	code := t.record.UserCode
	r := stage.Record{Stage: stage.Held, Step: title(e.step), Event: e.callback.Event, ExitCode: &code}
	if limit := seconds(e.callback.TimeoutSeconds); limit > 0 {
		r.Until = t.Now().Add(limit).UTC()
	}
	timer := time.AfterFunc(t.pace.hold, func() {
		if _, stopped := t.stop.stopped(); !stopped {
			t.stages.enter(r)
		}
	})
	return func() { timer.Stop() }
}
