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

// makeMetricsFile creates the empty file that PAI_METRICS_FILE refers to.
func (t *task) makeMetricsFile() error {
	f, err := os.OpenFile(filepath.Join(t.Root, metricsFile), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	return f.Close()
}

// watchMetrics publishes the task's metrics while it runs. The returned function
// stops watching and stores the last values in the record.
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
		t.log.Warning("the metrics of the task cannot be read: " + err.Error())
	case size > metrics.MaxFile:
		t.log.Warning(fmt.Sprintf("PAI_METRICS_FILE has %d bytes; only the last %d bytes were read", size, metrics.MaxFile))
	}
	t.record.Metrics = values.Without(t.redactor.String)
}

// metricsWatch follows the metrics file of a task.
type metricsWatch struct {
	task           *task
	began, written time.Time // written is the time of the latest line
	size           int64
	pending        metrics.Values // values that no log line contains yet
}

// linesPerAge limits the lines of a long task: the time between two lines is at
// least a hundredth of the task's age.
const linesPerAge = 100

// look reads the file if it has grown. It logs new values only when the interval
// permits the next line.
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
		w.size, w.pending = size, values.Without(t.redactor.String)
		t.stages.report(w.pending)
	}
	now := t.Now()
	if pause := max(t.intervals.line, now.Sub(w.began)/linesPerAge); w.pending == nil || now.Sub(w.written) < pause {
		return
	}
	t.log.Info(w.pending.Text())
	w.written, w.pending = now, nil
}
