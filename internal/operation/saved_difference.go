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

// maxReasons limits the differences listed, maxFields the fields listed per
// difference, and maxJobs the length of the list of jobs per difference, in bytes.
const (
	maxReasons = 10
	maxFields  = 5
	maxJobs    = 240
)

// differences are sentences about jobs. Jobs with the same sentence share it.
type differences struct {
	order []sentence
	jobs  map[sentence][]hclspec.Address
}

// sentence is a sentence in the singular and in the plural, each with one %s for
// the list of its jobs.
type sentence struct {
	one, many string
	// reasons are the reasons of the current and of the saved change, for two further
	// %s. They contain only data that several jobs can share.
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

// list returns the sentences, in the order of their first jobs.
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

// about returns a sentence about one or more jobs. Its parameters one and many are
// the verb in the singular and in the plural.
func about(one, many, rest string) sentence {
	rest = strings.ReplaceAll(rest, "%", "%%")
	return sentence{one: "%s " + one + rest, many: "%s " + many + rest}
}

// texts converts sentences without facts.
func texts(all []string) []message.Text {
	converted := make([]message.Text, len(all))
	for i, s := range all {
		converted[i] = message.Textf("%s", s)
	}
	return converted
}

// sentences joins at most maxReasons texts, and appends the number of omitted
// texts.
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

// joined joins at most limit elements, and appends the number of omitted
// elements.
func joined(all []string, separator string, limit int, noun string) string {
	text := strings.Join(all[:min(len(all), limit)], separator)
	if more := len(all) - limit; more > 0 {
		text += separator + "and " + quantity.Count(more, noun)
	}
	return text
}

// otherwise returns a sentence about two changes with the same action.
func otherwise(before, after *planner.Change) sentence {
	d := planner.CompareDecisions(before, after)
	var parts []string
	if len(d.Fields) > 0 {
		fields := make([]string, len(d.Fields))
		for i, f := range d.Fields {
			fields[i] = string(f)
		}
		parts = append(parts, "with another value of "+joined(fields, ", ", maxFields, "more field"))
	}
	if len(d.Fields) == 0 && len(d.Objects) > 0 {
		parts = append(parts, "with other content of "+joined(d.Objects, ", ", maxFields, "more object"))
	}
	if d.Drift {
		parts = append(parts, "with other changes that were made outside openpai")
	}
	if d.Impact {
		parts = append(parts, "with another effect on running tasks")
	}
	s := about("would", "would", strings.Join(append([]string{" still be " + words(before.Action)}, parts...), ", "))
	if d.Reason {
		s = s.because(after.Reason, before.Reason)
	}
	return s
}

// because appends the different reasons of two changes.
func (s sentence) because(now, planned planner.Reason) sentence {
	const clause = ", for another reason: %s (in the saved plan: %s)"
	s.one, s.many = s.one+clause, s.many+clause
	for i, r := range []planner.Reason{now, planned} {
		r.Job, r.Live.ExitCode = "", nil // differ between jobs
		s.reasons[i] = r
	}
	return s
}

// differByProgress reports whether two changes differ only in the running work that
// they end.
func differByProgress(before, after *planner.Change) bool {
	if before == nil || after == nil || before.Action != after.Action {
		return false
	}
	d := planner.CompareDecisions(before, after)
	return d.Impact && len(d.Fields)+len(d.Objects) == 0 && !d.Reason && !d.Drift
}
