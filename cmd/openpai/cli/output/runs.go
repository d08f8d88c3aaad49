// SPDX-License-Identifier: MPL-2.0

package output

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// Runs prints one line for each run.
func Runs(out io.Writer, runs []operation.RecordedRun, now time.Time) {
	rows := [][]string{{"RUN", "STATE", "SUBMITTED", "DURATION", "CPU TIME", "PEAK MEMORY", "METRICS", "CHANGED SINCE PREVIOUS RUN"}}
	for i, r := range runs {
		submitted := r.Submitted
		rows = append(rows, []string{
			r.Reference(), runState(r), clock(&submitted, now), runDuration(r.Run), orNone(cpuTime(r.Run)), orNone(peakMemory(r.Run)), orNone(metrics(r.Metrics)), difference(runs[:i], r),
		})
	}
	Table(out, rows)
}

func orNone(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// runState returns the state of a run, with the exit code of a failure.
func runState(r operation.RecordedRun) string {
	state := string(r.State())
	switch {
	case r.Outcome == nil:
		return "outcome unknown"
	case r.Outcome.Adopted && !r.State().Finished():
		return "adopted while " + strings.ToLower(state)
	case r.Deleted():
		return "deleted while " + strings.ToLower(state)
	case r.State() == planner.StateFailed && r.Outcome.UserCode != nil:
		return state + " (" + strconv.Itoa(*r.Outcome.UserCode) + ")"
	}
	return state
}

func runDuration(r *history.Run) string {
	d, ok := r.Duration()
	if !ok {
		return "-"
	}
	return duration(d)
}

// cpuTime returns the CPU time of a run, or "" if the CPU time is unknown.
func cpuTime(r *history.Run) string {
	if r.CPUSeconds == 0 {
		return ""
	}
	return duration(time.Duration(r.CPUSeconds * float64(time.Second)))
}

// peakMemory returns "" if the peak memory is unknown.
func peakMemory(r *history.Run) string {
	if r.PeakMemoryBytes == 0 {
		return ""
	}
	return quantity.Bytes(r.PeakMemoryBytes)
}

func metrics(all map[string]float64) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		parts = append(parts, name+"="+strconv.FormatFloat(all[name], 'g', 6, 64))
	}
	return strings.Join(parts, " ")
}

// maxDiffers is the maximum number of fields and inputs that a line lists.
const maxDiffers = 3

// difference describes the differences from the previous run of the job.
func difference(before []operation.RecordedRun, r operation.RecordedRun) string {
	if r.RepeatOf > 0 {
		return fmt.Sprintf("repeats run %d", r.RepeatOf)
	}
	previous := previousRun(before, r.Address)
	switch paths := Differs(before, r); {
	case previous == nil && r.Number > 1:
		return "no earlier record"
	case previous == nil:
		return "first run"
	case len(previous.Job) == 0 || len(r.Job) == 0:
		return "not known"
	case len(paths) == 0:
		return "nothing"
	case len(paths) > maxDiffers:
		return fmt.Sprintf("%s and %d others", strings.Join(paths[:maxDiffers], ", "), len(paths)-maxDiffers)
	default:
		return strings.Join(paths, ", ")
	}
}
