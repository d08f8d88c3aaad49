// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// maxReasons is the maximum number of listed differences. maxFields is the
// maximum number of listed fields per difference. maxJobs is the maximum
// length, in bytes, of a list of jobs.
const (
	maxReasons = 10
	maxFields  = 5
	maxJobs    = 240
)

// differences are sentences about jobs. Each sentence lists all jobs to which
// it applies.
type differences struct {
	order []sentence
	jobs  map[sentence][]hclspec.Address
}

// sentence is a sentence in the singular and in the plural. Each form contains
// one %s for the list of jobs.
type sentence struct {
	one, many string
	// reasons contains the reasons for the current and for the saved change. If the
	// reasons are set, each form contains two more %s, one for each reason. The
	// reasons contain only data that several jobs can share.
	reasons [2]planner.Reason
}

func (d *differences) add(job hclspec.Address, s sentence) {
	if d.jobs == nil {
		d.jobs = map[sentence][]hclspec.Address{}
	}
	if d.jobs[s] == nil {
		d.order = append(d.order, s)
	}
	if !slices.Contains(d.jobs[s], job) {
		d.jobs[s] = append(d.jobs[s], job)
	}
}

// list returns the sentences in the order of their first jobs.
func (d *differences) list() []message.Text {
	var all []message.Text
	for _, s := range d.order {
		format := s.one
		if len(d.jobs[s]) > 1 {
			format = s.many
		}
		args := []any{jobList(d.jobs[s])}
		if s.reasons != [2]planner.Reason{} {
			args = append(args, s.reasons[0], s.reasons[1])
		}
		all = append(all, message.Textf(format, args...))
	}
	return all
}

// jobList formats addresses: "job.exp[0-11], job.train". The list ends with the
// number of omitted addresses.
func jobList(all []hclspec.Address) string {
	return hclspec.ListAddresses(all, maxJobs)
}

// about builds a sentence about one or several jobs. one and many are the
// singular and plural forms of the verb.
func about(one, many, rest string) sentence {
	rest = strings.ReplaceAll(rest, "%", "%%")
	return sentence{one: "%s " + one + rest, many: "%s " + many + rest}
}

func texts(all []string) []message.Text {
	converted := make([]message.Text, len(all))
	for i, s := range all {
		converted[i] = message.Textf("%s", s)
	}
	return converted
}

// sentences joins at most maxReasons texts and the number of omitted texts.
func sentences(all []message.Text) message.Text {
	var args []any
	for _, text := range all[:min(len(all), maxReasons)] {
		args = append(args, text)
	}
	if more := len(all) - maxReasons; more > 0 {
		args = append(args, "and "+quantity.Count(more, "more difference"))
	}
	return message.Textf(strings.TrimSuffix(strings.Repeat("%s; ", len(args)), "; "), args...)
}

// joined joins at most limit elements and the number of omitted elements.
func joined(all []string, separator string, limit int, noun string) string {
	text := strings.Join(all[:min(len(all), limit)], separator)
	if more := len(all) - limit; more > 0 {
		text += separator + "and " + quantity.Count(more, noun)
	}
	return text
}

// otherwise describes the differences between two changes with
// the same action.
func otherwise(before, after *planner.Change) sentence {
	d := planner.CompareDecisions(before, after)
	var parts []string
	if len(d.Fields) > 0 {
		fields := make([]string, len(d.Fields))
		for i, f := range d.Fields {
			fields[i] = string(f)
		}
		parts = append(parts, "with a different value of "+joined(fields, ", ", maxFields, "more field"))
	}
	if len(d.Fields) == 0 && len(d.Objects) > 0 {
		parts = append(parts, "with different content of "+joined(d.Objects, ", ", maxFields, "more object"))
	}
	if d.Drift {
		parts = append(parts, "with different changes made outside openpai")
	}
	if d.Impact {
		parts = append(parts, "with a different effect on running tasks")
	}
	s := about("would", "would", strings.Join(append([]string{" still be " + words(before.Action)}, parts...), ", "))
	if d.Reason {
		s = s.because(after.Reason, before.Reason)
	}
	return s
}

// because adds the reasons for the current and for the saved change. These
// reasons must differ.
func (s sentence) because(now, planned planner.Reason) sentence {
	const clause = ", for a different reason: %s (in the saved plan: %s)"
	s.one, s.many = s.one+clause, s.many+clause
	for i, r := range []planner.Reason{now, planned} {
		r.Job, r.Live.ExitCode = "", nil // differ between jobs
		s.reasons[i] = r
	}
	return s
}

// differByProgress reports whether two changes differ only in the amount of
// running work that they end.
func differByProgress(before, after *planner.Change) bool {
	if before == nil || after == nil || before.Action != after.Action {
		return false
	}
	d := planner.CompareDecisions(before, after)
	return d.Impact && len(d.Fields)+len(d.Objects) == 0 && !d.Reason && !d.Drift
}
