package stage

import (
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/metrics"
)

// Version is the version of records that this build writes and reads.
const Version = 1

// Name names a stage.
type Name string

// The stages of a task in the order of its life. Clusters report Scheduling,
// the runtime all others.
const (
	Scheduling   Name = "scheduling"
	Preparing    Name = "preparing"
	Fetching     Name = "fetching"
	Prerequisite Name = "prerequisite"
	Commands     Name = "commands"
	Ending       Name = "ending"
	Held         Name = "held"
)

// names holds every name that a record may have.
var names = map[Name]bool{Scheduling: true, Preparing: true, Fetching: true, Prerequisite: true, Commands: true, Ending: true, Held: true}

// Record is what a task does since a point in time. Fields that do not belong
// to the stage are zero.
type Record struct {
	Version int       `json:"version"`
	Stage   Name      `json:"stage"`
	Since   time.Time `json:"since,omitzero"`
	// Reason is why the task waits, in the words of the cluster.
	Reason string `json:"reason,omitempty"`

	// Ready of Tasks tasks of a gang are ready (Preparing).
	Ready int `json:"ready,omitempty"`
	Tasks int `json:"tasks,omitempty"`

	// Step is the address of the prerequisite or the name of the plugin
	// (Fetching, Prerequisite, Ending, Held).
	Step string `json:"step,omitempty"`
	// Number counts from 1: the download of Count downloads (Fetching), the step
	// of Count steps with something to start (Prerequisite).
	Number int `json:"number,omitempty"`
	Count  int `json:"count,omitempty"`
	// Fetch is how far the download is (Fetching).
	Fetch *Progress `json:"fetch,omitempty"`

	// Event is what the callback is bound to (Ending, Held).
	Event string `json:"event,omitempty"`
	// ExitCode is the result of the task, which no longer changes (Held).
	ExitCode *int `json:"exit_code,omitempty"`
	// Until is when the timeout of the callback ends it; zero without a timeout
	// (Held).
	Until time.Time `json:"until,omitzero"`

	// Metrics are the values that the task has reported until now, in any stage.
	Metrics metrics.Values `json:"metrics,omitempty"`
}

// Progress is how far a download is.
type Progress struct {
	// Source is the address without user, query and fragment.
	Source string `json:"source"`
	Bytes  int64  `json:"bytes"`
	// Total is the size of the whole, 0 when it is unknown.
	Total int64 `json:"total,omitempty"`
	// Rate is in bytes per second, 0 when it is unknown.
	Rate int64 `json:"rate,omitempty"`
}

// Remaining estimates the rest of the download; ok is false when the size or
// the rate is unknown.
func (p *Progress) Remaining() (d time.Duration, ok bool) {
	if p.Total <= 0 || p.Rate <= 0 || p.Bytes > p.Total {
		return 0, false
	}
	seconds := float64(p.Total-p.Bytes) / float64(p.Rate)
	return time.Duration(min(seconds, maxRemaining.Seconds()) * float64(time.Second)), true
}

// maxRemaining is the longest time that is worth a number.
const maxRemaining = 1000 * time.Hour

// Percent returns how much of the download is there; ok is false when its size
// is unknown.
func (p *Progress) Percent() (n int, ok bool) {
	if p.Total <= 0 || p.Bytes < 0 || p.Bytes > p.Total {
		return 0, false
	}
	return int(float64(p.Bytes) / float64(p.Total) * 100), true
}

// Same reports whether two records are of one stage of the same thing; its
// progress and the number of ready tasks may differ.
func (r *Record) Same(other *Record) bool {
	if r == nil || other == nil {
		return r == other
	}
	return r.Stage == other.Stage && r.Step == other.Step && r.Number == other.Number && r.Event == other.Event && r.Reason == other.Reason && r.Since.Equal(other.Since)
}
