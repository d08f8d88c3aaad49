// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

// logPrinter prints task logs, one whole line at a time.
type logPrinter struct {
	streams *Streams
	sink    *output.LineSink
	// named is true if the printer prints the logs of several jobs. Each line then
	// begins with the job name.
	named bool
	// bare is true if there is only one task. Lines of its commands then have
	// no task prefix.
	bare bool
	// latest is true if only the latest attempts are shown. The prefix then
	// omits attempt numbers.
	latest bool
	// attempt, if not nil, provides the attempt numbers of all events.
	// Otherwise, events contain the attempt numbers of their log.
	attempt *cluster.TaskAttempt
	// sources is true if the printer prints the source of each log.
	sources bool
	// where holds the arguments that select the workspace, for the commands
	// in hints.
	where string
	// watch prints the reasons why jobs wait. If nil, reasons are not
	// printed.
	watch *watch
}

var _ operation.LogReporter = (*logPrinter)(nil)

func newLogPrinter(s *Streams, jobs []operation.Job) *logPrinter {
	return &logPrinter{streams: s, sink: &output.LineSink{Out: s.out, Live: s.screen}, named: len(jobs) > 1}
}

// Open implements operation.LogReporter. Each line begins with "worker[0] | ", or with
// "worker[0] prerequisite.data.a | " for the output of a step. With several jobs, the
// job name precedes the task, as in "train/worker[0] | ".
func (p *logPrinter) Open(j operation.Job, a cluster.AttemptID, step string) io.WriteCloser {
	if p.streams.json != nil {
		if p.attempt != nil {
			a.JobAttempt, a.Attempt = p.attempt.JobAttempt, p.attempt.Attempt
		}
		return p.sink.Lines(func(stamp string, line []byte) { p.streams.json.events.log(j.Address, a, step, stamp, line) })
	}
	if p.bare && step == "" {
		return p.sink.Prefixed("")
	}
	label := p.task(j, a)
	if !p.latest {
		label += attemptLabel(a.JobAttempt, a.Attempt)
	}
	if step != "" {
		label += " " + step
	}
	return p.sink.Prefixed(output.Paint(p.streams.color, output.TaskColor(a), label+" | "))
}

// task returns "worker[0]" or, with several jobs, "train/worker[0]".
func (p *logPrinter) task(j operation.Job, a cluster.AttemptID) string {
	label := fmt.Sprintf("%s[%d]", a.Role, a.Index)
	if p.named {
		return strings.TrimPrefix(string(j.Address), "job.") + "/" + label
	}
	return label
}

// attemptLabel returns "" for the first attempt. Otherwise, it returns the
// numbers of the attempt, such as " job attempt 2 attempt 3".
func attemptLabel(jobAttempt, attempt int) string {
	var label string
	if jobAttempt > 0 {
		label += fmt.Sprintf(" job attempt %d", jobAttempt+1)
	}
	if attempt > 0 {
		label += fmt.Sprintf(" attempt %d", attempt+1)
	}
	return label
}

// taskLabel returns a label such as "worker[0]". For an unfinished repeated
// attempt, the label includes the attempt number, as in "worker[0] attempt 2".
func taskLabel(role string, t *cluster.Task) string {
	label := fmt.Sprintf("%s[%d]", role, t.Index)
	if a := t.Latest(); a != nil && a.Exit == nil {
		label += attemptLabel(a.JobAttempt, a.Attempt)
	}
	return label
}

func (p *logPrinter) opener(j operation.Job) func(cluster.AttemptID, string) io.WriteCloser {
	return func(a cluster.AttemptID, step string) io.WriteCloser { return p.Open(j, a, step) }
}

// Source implements operation.LogReporter.
func (p *logPrinter) Source(j operation.Job, a cluster.AttemptID, text message.Text) {
	if p.sources {
		p.note(fmt.Sprintf("Note: %s: %s.", p.task(j, a), text.Phrase(phrase.Of)))
	}
}

// Gap implements operation.LogReporter.
func (p *logPrinter) Gap(j operation.Job, a cluster.AttemptID, text message.Text) {
	p.doubt(fmt.Sprintf("%s: %s.", p.task(j, a), text.Phrase(phrase.Of)), "Note: ")
}

// Problem implements operation.LogReporter.
func (p *logPrinter) Problem(j operation.Job, s *cluster.Status) {
	p.doubt(fmt.Sprintf("%s: %s", j.Address, s.Problem.Phrase(phrase.Of)), "")
}

// Changed implements operation.LogReporter.
func (p *logPrinter) Changed(j operation.Job, s *cluster.Status) {
	if p.watch != nil {
		p.watch.changed(j, s)
	}
}

// doubt prints a note about missing or incomplete logs. With --json, the note is a
// warning.
func (p *logPrinter) doubt(text, before string) {
	if p.streams.json != nil {
		p.streams.warn(text)
		return
	}
	p.note(before + text)
}

// note prints a line to standard error, between the lines of the logs.
func (p *logPrinter) note(text string) { p.sink.Note(p.streams.err, text) }

// follow copies the logs of several jobs concurrently. It returns the last readable
// statuses, in the order of the jobs. An unreadable log causes a warning.
func (p *logPrinter) follow(ctx context.Context, jobs []operation.Job, filter operation.LogFilter) ([]*cluster.Status, error) {
	p.watch = newWatch(p.streams, p.where, jobs, 2, p.note)
	defer p.watch.close()
	statuses := make([]*cluster.Status, len(jobs))
	errs := make([]error, len(jobs))
	var following sync.WaitGroup
	for n, j := range jobs {
		following.Go(func() {
			var logErr error
			statuses[n], logErr, errs[n] = operation.Follow(ctx, j, filter, p)
			if logErr != nil {
				p.doubt(phrase.Error(logErr), "Warning: ")
			}
		})
	}
	following.Wait()
	known := statuses[:0]
	for _, st := range statuses {
		if st != nil {
			known = append(known, st)
		}
	}
	return known, errors.Join(errs...)
}
