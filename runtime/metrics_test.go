// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/metrics"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

func TestTheLastMetricsAreInRecordAndMessage(t *testing.T) {
	t.Parallel()
	r := newRig(t,
		`echo '{"loss": 0.5}' >>"$PAI_METRICS_FILE"`,
		`echo '{"loss": 0.25, "acc": 0.9}' >>"$PAI_METRICS_FILE"`,
		`echo 'not JSON' >>"$PAI_METRICS_FILE"`)
	record := r.run()
	want := metrics.Values{"loss": 0.25, "acc": 0.9}
	if diff := cmp.Diff(want, record.Metrics); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
	text, err := os.ReadFile(r.config.TerminationFile)
	if err != nil || !strings.Contains(string(text), `metrics: {"acc":0.9,"loss":0.25}`) {
		t.Errorf("%v, message:\n%s", err, text)
	}
}

func TestAFailedTaskKeepsItsMetrics(t *testing.T) {
	t.Parallel()
	record := newRig(t, `echo '{"epoch": 3}' >>"$PAI_METRICS_FILE"; exit 7`).run()
	if record.UserCode != 7 || record.Metrics["epoch"] != 3 {
		t.Errorf("code %d, metrics %v", record.UserCode, record.Metrics)
	}
}

func TestMetricsThatNameASecretAreDropped(t *testing.T) {
	t.Parallel()
	r := newRig(t, `echo '{"hunter22": 1, "pin": 48151623, "loss": 2}' >>"$PAI_METRICS_FILE"`)
	r.secret("password", "hunter22")
	r.secret("pin", "48151623")
	if diff := cmp.Diff(metrics.Values{"loss": 2}, r.run().Metrics); diff != "" {
		t.Error(diff)
	}
}

func TestALongMetricsFileIsReadFromItsEndWithAWarning(t *testing.T) {
	t.Parallel()
	r := newRig(t, `for i in $(seq 5000); do echo "{\"step\": $i}"; done >>"$PAI_METRICS_FILE"; echo '{"loss": 1}' >>"$PAI_METRICS_FILE"`)
	record := r.run()
	if record.Metrics["step"] != 5000 || record.Metrics["loss"] != 1 {
		t.Errorf("%v", record.Metrics)
	}
	if !strings.Contains(r.stderr.String(), "the runtime read only the last 65536 bytes") {
		t.Errorf("no warning: %s", r.stderr.String())
	}
}

func TestMetricsAreShownWhileTheTaskRuns(t *testing.T) {
	t.Parallel()
	r := newRig(t, `echo '{"loss": 0.5}' >>"$PAI_METRICS_FILE"; while [ ! -e over ]; do sleep 0.05; done`)
	r.config.intervals = defaultIntervals
	r.config.intervals.metrics, r.config.intervals.line = 5*time.Millisecond, 0
	go func() {
		for stage.Read(r.config.Root) == nil || stage.Read(r.config.Root).Metrics == nil || !strings.Contains(r.stderr.String(), `] [INFO] metrics {"loss":0.5}`) {
			time.Sleep(5 * time.Millisecond)
		}
		_ = os.WriteFile(filepath.Join(r.config.WorkDir, "over"), nil, 0o644)
	}()
	if record := r.run(); record.UserCode != 0 {
		t.Errorf("%+v", record)
	}
}

// The values must always be near the end of the log, where readers search for
// them.
func TestMetricsAreRepeatedInALongLog(t *testing.T) {
	t.Parallel()
	const line = `] [INFO] metrics {"loss":0.5}`
	r := newRig(t, `echo '{"loss": 0.5}' >>"$PAI_METRICS_FILE"; while [ ! -e begun ]; do sleep 0.05; done; seq 499; while [ ! -e more ]; do sleep 0.05; done; echo 500; while [ ! -e over ]; do sleep 0.05; done`)
	r.config.intervals.metrics, r.config.intervals.line = 5*time.Millisecond, time.Hour
	lines := func() int { return strings.Count(r.stderr.String(), line) }
	touch := func(name string) { _ = os.WriteFile(filepath.Join(r.config.WorkDir, name), nil, 0o644) }
	wait := func(done func() bool) {
		for end := time.Now().Add(20 * time.Second); !done() && time.Now().Before(end); {
			time.Sleep(5 * time.Millisecond)
		}
	}
	early := make(chan int, 1)
	go func() {
		wait(func() bool { return lines() == 1 })
		touch("begun")
		wait(func() bool { return strings.Contains(r.stdout.String(), "499\n") })
		time.Sleep(50 * time.Millisecond)
		early <- lines()
		touch("more")
		wait(func() bool { return lines() == 2 })
		touch("over")
	}()
	if record := r.run(); record.UserCode != 0 {
		t.Errorf("%+v", record)
	}
	if before, all := <-early, lines(); before != 1 || all != 2 {
		t.Errorf("%d metrics lines, %d of them before 500 lines; want 2 and 1", all, before)
	}
}
