package cluster

import (
	"context"
	"sync"
)

// AttemptID names one attempt of a task. Attempts count from 0.
type AttemptID struct {
	Role              string // as written
	Index, JobAttempt int
	Attempt           int // of the task in the attempt of the job
}

// AttemptWatcher is a cluster whose Status may miss attempts of tasks: those
// that begin and end between two calls, and all but the latest.
type AttemptWatcher interface {
	// WatchAttempts reports every attempt of the tasks of a job once Logs can
	// follow it, until the context ends. Then it adds what it saw of them to
	// what the cluster keeps of the job, for Status and Logs of later commands.
	// began is not called concurrently.
	WatchAttempts(ctx context.Context, framework string, began func(AttemptID)) error
}

// watchAttempts watches the attempts of a job until stop is called. That a
// cluster cannot, or may not, takes nothing from Status.
func watchAttempts(ctx context.Context, c Cluster, framework string, began func(AttemptID)) (stop func()) {
	w, ok := c.(AttemptWatcher)
	if !ok {
		return func() {}
	}
	if began == nil {
		began = func(AttemptID) {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { _ = w.WatchAttempts(ctx, framework, began) })
	return func() {
		cancel()
		watching.Wait()
	}
}
