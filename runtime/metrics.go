// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/metrics"
)

func (t *task) makeMetricsFile() error {
	f, err := os.OpenFile(filepath.Join(t.Root, metricsFile), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	return f.Close()
}

// watchMetrics publishes metrics while the task runs. The returned function
// stops publishing, and stores the last values in the record.
func (t *task) watchMetrics() (stop func()) {
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		w := &metricsWatch{task: t, began: t.Now()}
		tick := time.NewTicker(cmp.Or(t.intervals.metrics, defaultIntervals.metrics))
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				w.look()
			case <-done:
				return
			}
		}
	})
	return func() {
		close(done)
		watching.Wait()
		t.collectMetrics()
	}
}

// collectMetrics stores the last values in the record.
func (t *task) collectMetrics() {
	values, size, err := metrics.Read(filepath.Join(t.Root, metricsFile))
	switch {
	case err != nil:
		t.log.Warning("cannot read the task's metrics: " + err.Error())
	case size > metrics.MaxFile:
		t.log.Warning(fmt.Sprintf("the file in PAI_METRICS_FILE has %d bytes, but the runtime read only the last %d bytes", size, metrics.MaxFile))
	}
	t.record.Metrics = values.Without(t.redactor.String)
}

// metricsWatch follows the metrics file of a task.
type metricsWatch struct {
	task           *task
	began, written time.Time // written is the time of the latest log line with values
	size           int64
	values         metrics.Values
	pending        bool  // no log line contains values yet
	printed        int64 // value of task.printed when the latest line with values was logged
}

const (
	// linesPerAge limits how many metrics lines a long task logs. The time
	// between two such lines is at least a hundredth of the task's age.
	linesPerAge = 100
	// repeatAfter is the number of container log lines after which the runtime logs
	// the values again. Programs that read only the end of the log therefore find
	// the values.
	repeatAfter = 500
)

// look reads the file if its size has changed. It logs new values only after
// the minimum interval. It logs the values again when repeatAfter lines
// follow the latest line with values.
func (w *metricsWatch) look() {
	t := w.task
	info, err := os.Lstat(filepath.Join(t.Root, metricsFile))
	if err != nil {
		return
	}
	if info.Size() != w.size {
		values, size, err := metrics.Read(filepath.Join(t.Root, metricsFile))
		if err != nil {
			return // reported at the end
		}
		w.size, w.values = size, values.Without(t.redactor.String)
		w.pending = w.values != nil
		t.stages.report(w.values)
	}
	now := t.Now()
	due := w.pending && now.Sub(w.written) >= max(t.intervals.line, now.Sub(w.began)/linesPerAge)
	if due || w.repeats() {
		t.log.Info(w.values.Text())
		w.written, w.pending, w.printed = now, false, t.printed.Load()
	}
}

// repeats reports whether at least repeatAfter lines follow the latest line
// with values.
func (w *metricsWatch) repeats() bool {
	return !w.written.IsZero() && w.values != nil && w.task.printed.Load()-w.printed >= repeatAfter
}
