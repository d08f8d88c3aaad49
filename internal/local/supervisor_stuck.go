// SPDX-License-Identifier: MPL-2.0

package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

const (
	// pollEnd is the polling interval of a command that waits for a supervisor.
	pollEnd = 20 * time.Millisecond
	// suspendedPatience is the maximum time that a command waits for a suspended
	// supervisor. The command waits because a debugger may suspend the
	// supervisor briefly.
	suspendedPatience = 5 * time.Second
	// noticePatience is the maximum time for a running supervisor to process
	// a stop request. This limit is long because the supervisor may be
	// starting thousands of tasks.
	noticePatience = 2 * time.Minute
)

// awaitSupervisor waits until done returns true or the Framework no longer exists. If
// the supervisor was killed, awaitSupervisor starts a new supervisor. If a supervisor
// remains suspended, the error contains its PID. If another command blocks the
// replacement until ctx ends, the error identifies that command.
func (c *Cluster) awaitSupervisor(ctx context.Context, o store.Object, done func(*framework.Framework) (bool, error)) error {
	var since time.Time // time when the supervisor was first observed to be suspended
	for {
		locked := c.ensureSupervised(ctx, o)
		if locked != nil && !errors.Is(locked, store.ErrLocked) {
			return ignoreNotFound(locked)
		}
		fw, _, err := o.Load()
		if err != nil {
			return ignoreNotFound(err)
		}
		if ok, err := done(fw); ok || err != nil {
			return err
		}
		switch p := o.SuspendedSupervisor(); {
		case p == nil:
			since = time.Time{}
		case since.IsZero():
			since = time.Now()
		case time.Since(since) > suspendedPatience:
			return errors.New(store.SuspendedText(p))
		}
		select {
		case <-ctx.Done():
			return cmp.Or(locked, ctx.Err())
		case <-time.After(pollEnd):
		}
	}
}

// ensureSupervised starts a supervisor if the Framework needs one. It fails with
// store.ErrLocked while another command changes jobs. The other command may itself
// start a supervisor.
func (c *Cluster) ensureSupervised(ctx context.Context, o store.Object) error {
	release, err := c.lockIfUnsupervised(o)
	if err != nil || release == nil {
		return err
	}
	defer release()
	return c.supervise(ctx, o)
}

// lockIfUnsupervised locks the workspace if a Framework needs a supervisor.
// Otherwise, release is nil.
func (c *Cluster) lockIfUnsupervised(o store.Object) (release func(), err error) {
	fw, _, err := o.Load()
	if err != nil {
		return nil, err
	}
	needed, err := o.NeedsSupervisor(fw)
	if err != nil || !needed {
		return nil, err
	}
	return c.acquire()
}

// ignoreNotFound returns nil for cluster.ErrNotFound, because the wait ends with the
// Framework.
func ignoreNotFound(err error) error {
	if errors.Is(err, cluster.ErrNotFound) {
		return nil
	}
	return err
}

// awaitNotice waits until the supervisor has processed the stop request.
func (c *Cluster) awaitNotice(ctx context.Context, o store.Object) error {
	limited, cancel := context.WithTimeout(ctx, noticePatience)
	defer cancel()
	err := c.awaitSupervisor(limited, o, func(fw *framework.Framework) (bool, error) {
		if !noticedStop(fw) && o.DiskFull() {
			return false, o.DiskFullError("the supervisor received the request and is ending the tasks of the job, but there is")
		}
		return noticedStop(fw), nil
	})
	if err == nil || limited.Err() == nil || ctx.Err() != nil || errors.Is(err, store.ErrLocked) {
		return err
	}
	var s store.Supervisor
	_ = store.ReadJSON(o.SupervisorFile(), &s)
	return fmt.Errorf("its supervisor, process %d, has not responded for %s; see %s", s.Process.PID, noticePatience, o.SupervisorLog())
}

// noticedStop reports whether the attempt is ending or the job has ended.
func noticedStop(fw *framework.Framework) bool {
	st := fw.Status
	if st == nil {
		return false
	}
	return st.State == framework.StateCompleted ||
		st.AttemptStatus.CompletionStatus != nil && st.State != framework.StateAttemptCompleted
}
