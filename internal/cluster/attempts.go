// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"context"
	"sync"
)

// AttemptID identifies one attempt of a task. Attempts count from 0.
type AttemptID struct {
	Role              string // as declared
	Index, JobAttempt int
	Attempt           int // number of the task attempt within the job attempt
}

// AttemptWatcher is a cluster whose Status can miss attempts of tasks. Status
// misses short attempts between two calls, and all attempts before the latest.
type AttemptWatcher interface {
	// WatchAttempts watches a job until the context is done. It calls began for a
	// task attempt as soon as Logs can follow the attempt. At the end, it stores the
	// attempts in the job's record for Status and Logs in later commands.
	// WatchAttempts does not call began concurrently.
	WatchAttempts(ctx context.Context, framework string, began func(AttemptID)) error
}

// watchAttempts watches the attempts of a job until stop is called. It
// ignores errors, because Status works without watching.
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
