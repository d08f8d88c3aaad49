// SPDX-License-Identifier: MPL-2.0

package stage

import (
	"strings"
	"time"
	"unicode"

	"github.com/openpai/terraform-provider-openpai/internal/metrics"
)

// Version is the version of the records that this program reads and writes.
const Version = 1

// Name is the name of a stage.
type Name string

// Stages, in the order of a task's lifecycle. Clusters report Scheduling, and the
// runtime reports all other stages.
const (
	Scheduling   Name = "scheduling"
	Preparing    Name = "preparing"
	Fetching     Name = "fetching"
	Prerequisite Name = "prerequisite"
	Commands     Name = "commands"
	Ending       Name = "ending"
	Held         Name = "held"
)

// names contains the valid stage names of records.
var names = map[Name]bool{Scheduling: true, Preparing: true, Fetching: true, Prerequisite: true, Commands: true, Ending: true, Held: true}

// Record describes an activity of a task and the time at which the activity began.
// Fields that do not apply to the stage are zero. If the comment of a field lists
// stages in parentheses, the field applies only to these stages.
type Record struct {
	Version int       `json:"version"`
	Stage   Name      `json:"stage"`
	Since   time.Time `json:"since,omitzero"`
	// Reason explains why the task waits. It contains the reason from the
	// cluster, or the download error before a retry.
	Reason string `json:"reason,omitempty"`

	// Ready is the number of ready tasks in a gang, and Tasks their total number
	// (Preparing).
	Ready int `json:"ready,omitempty"`
	Tasks int `json:"tasks,omitempty"`

	// Step is the address of the prerequisite or the name of the plugin
	// (Fetching, Prerequisite, Ending, Held).
	Step string `json:"step,omitempty"`
	// Number is the number of the download (Fetching) or of the step with a
	// start callback (Prerequisite), starting at 1. Count is the total number
	// of downloads, or of steps with a start callback.
	Number int `json:"number,omitempty"`
	Count  int `json:"count,omitempty"`
	// Fetch is the progress of the download (Fetching).
	Fetch *Progress `json:"fetch,omitempty"`

	// Event is the event of the callback (Ending, Held).
	Event string `json:"event,omitempty"`
	// ExitCode is the final result of the task (Held).
	ExitCode *int `json:"exit_code,omitempty"`
	// Until is the end of the callback's time limit (Held), the end of the retry
	// delay (Scheduling), or the start of the next download attempt (Fetching). It
	// is zero if there is no such time.
	Until time.Time `json:"until,omitzero"`

	// Metrics are the values that the task has reported so far, in any stage.
	Metrics metrics.Values `json:"metrics,omitempty"`
}

// Cause returns the reason without digits. Numbers in the reason, such as
// bytes, attempts or client ports, can change while the cause remains. Cause
// returns "" if there is no reason.
func (r *Record) Cause() string {
	return strings.Map(func(c rune) rune {
		if unicode.IsDigit(c) {
			return -1
		}
		return c
	}, r.Reason)
}

// Progress is the progress of a download.
type Progress struct {
	// Source is the URL without the user, query and fragment.
	Source string `json:"source"`
	Bytes  int64  `json:"bytes"`
	// Total is the total size in bytes, or 0 if unknown.
	Total int64 `json:"total,omitempty"`
	// Rate is the rate in bytes per second, or 0 if unknown.
	Rate int64 `json:"rate,omitempty"`
}

// Remaining estimates the remaining time of the download. ok is false if the
// size or the rate is unknown.
func (p *Progress) Remaining() (d time.Duration, ok bool) {
	if p.Total <= 0 || p.Rate <= 0 || p.Bytes > p.Total {
		return 0, false
	}
	seconds := float64(p.Total-p.Bytes) / float64(p.Rate)
	return time.Duration(min(seconds, maxRemaining.Seconds()) * float64(time.Second)), true
}

// maxRemaining is the longest duration that Remaining returns.
const maxRemaining = 1000 * time.Hour

// Percent returns the downloaded part of the file as a percentage. ok is false if
// the size is unknown.
func (p *Progress) Percent() (n int, ok bool) {
	if p.Total <= 0 || p.Bytes < 0 || p.Bytes > p.Total {
		return 0, false
	}
	return int(float64(p.Bytes) / float64(p.Total) * 100), true
}

// Same reports whether two records describe the same stage of the same object. It
// ignores the download progress, the number of ready tasks and the metrics.
func (r *Record) Same(other *Record) bool {
	if r == nil || other == nil {
		return r == other
	}
	return r.Stage == other.Stage && r.Step == other.Step && r.Number == other.Number && r.Event == other.Event && r.Reason == other.Reason && r.Since.Equal(other.Since)
}
