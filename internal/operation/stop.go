// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"
	"sync"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// StopReporter receives the progress of stopping jobs.
type StopReporter interface {
	// Stop calls Stopping after it requests the stop of an unfinished job.
	Stopping(j Job)
	// Stop calls Changed after each status change of a job.
	Changed(j Job, s *cluster.Status)
	// For each job, Stop calls Stopped after all other methods. The parameter
	// before is true if the job had already finished.
	Stopped(j Job, before bool, last *cluster.Status)
}

// Stop requests that all unfinished jobs stop, then waits for each of them. It
// reports jobs that had already finished and does not change them.
func Stop(ctx context.Context, jobs []Job, r StopReporter) error {
	var stopping []Job
	for _, j := range jobs {
		if j.State.Finished() {
			r.Stopped(j, true, &cluster.Status{State: j.State})
			continue
		}
		if err := j.RequestStop(ctx); err != nil {
			return err
		}
		r.Stopping(j)
		stopping = append(stopping, j)
	}
	return awaitStopped(ctx, stopping, r)
}

// awaitStopped waits for all jobs concurrently, because a cluster may forget the
// status of a task soon after the task ends.
func awaitStopped(ctx context.Context, jobs []Job, r StopReporter) error {
	last, errs := make([]*cluster.Status, len(jobs)), make([]error, len(jobs))
	done := make([]chan struct{}, len(jobs))
	var reporting sync.Mutex
	for i, j := range jobs {
		done[i] = make(chan struct{})
		go func() {
			defer close(done[i])
			last[i], errs[i] = j.Wait(ctx, cluster.Finished, func(s *cluster.Status) {
				reporting.Lock()
				defer reporting.Unlock()
				r.Changed(j, s)
			})
		}()
	}
	for i, j := range jobs {
		<-done[i]
		if errs[i] == nil {
			reporting.Lock()
			r.Stopped(j, false, last[i])
			reporting.Unlock()
		}
	}
	return errors.Join(errs...)
}
