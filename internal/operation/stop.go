package operation

import (
	"context"
	"errors"
	"sync"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// StopReporter receives what becomes of jobs that are stopped.
type StopReporter interface {
	// Stopping follows the request; it is not called for a job that had
	// finished before.
	Stopping(j Job)
	// Changed follows each change of a job that is waited for.
	Changed(j Job, s *cluster.Status)
	// Stopped is the last word on a job: finished before, or ended now.
	Stopped(j Job, before bool, last *cluster.Status)
}

// Stop asks all running jobs to end, then waits for each. Jobs that finished
// before are reported and left alone.
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

// awaitStopped waits for all jobs at the same time: what a cluster reports of a
// task may be gone soon after its end.
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
