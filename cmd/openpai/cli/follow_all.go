package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// followAll copies the logs of several jobs at once, each line with its role
// and index, and returns the last statuses of those that could be read, in the
// same order. A log that cannot be read is told as a warning.
func followAll(ctx context.Context, s *Streams, jobs []runningJob, filter logFilter) ([]*cluster.Status, error) {
	sink := &lineSink{out: s.out, named: len(jobs) > 1}
	statuses := make([]*cluster.Status, len(jobs))
	errs := make([]error, len(jobs))
	var following sync.WaitGroup
	for n, j := range jobs {
		following.Go(func() {
			t := &tail{job: j, filter: filter, open: sink.forTasks(s, j), note: func(text string) { sink.note(s, text) }}
			statuses[n], errs[n] = t.run(ctx)
			if t.logErr != nil {
				sink.note(s, "Warning: "+t.logErr.Error())
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

// note writes a line for people, between the lines of the logs.
func (sink *lineSink) note(s *Streams, text string) {
	sink.mu.Lock()
	defer sink.mu.Unlock()
	fmt.Fprintln(s.err, text)
}

// forTasks returns writers that begin each line with "worker[0] | ", and with
// the job before that when there are several.
func (sink *lineSink) forTasks(s *Streams, j runningJob) func(taskAttempt) *prefixWriter {
	return func(a taskAttempt) *prefixWriter {
		label := fmt.Sprintf("%s[%d]", a.role, a.index)
		if sink.named {
			label = strings.TrimPrefix(string(j.address), "job.") + "/" + label
		}
		if a.jobAttempt > 0 {
			label += fmt.Sprintf(" job attempt %d", a.jobAttempt+1)
		}
		if a.attempt > 0 {
			label += fmt.Sprintf(" attempt %d", a.attempt+1)
		}
		return sink.prefixed(s.paint(taskColor(a), label+" | "))
	}
}
