// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// lock is the lock of one cluster. All holders in this process share it, because
// Terraform writes many resources concurrently.
type lock struct {
	mu      sync.Mutex
	holders int
	release func()
	// cleanUp is called by the last holder before the release. cleanUp may be
	// nil.
	cleanUp func() error
}

// Lock prevents other processes from changing jobs on the given clusters that
// support locks. All processes lock in the same order, which prevents deadlocks.
func (o *Operation) Lock(ctx context.Context, clusters map[string]cluster.Cluster) (unlock func(), err error) {
	var held []*lock
	unlock = func() {
		for _, l := range held {
			_ = l.leave(nil) // the next deletion cleans up
		}
	}
	for _, name := range slices.Sorted(maps.Keys(clusters)) {
		locker, ok := clusters[name].(cluster.Locker)
		if !ok {
			continue
		}
		l := o.lockOf(name)
		if err := l.enter(ctx, locker, o.options.Patience); err != nil {
			unlock()
			return nil, fmt.Errorf("lock cluster %s: %w", name, err)
		}
		held = append(held, l)
	}
	return unlock, nil
}

func (o *Operation) lockOf(name string) *lock {
	o.locking.Lock()
	defer o.locking.Unlock()
	if o.locks[name] == nil {
		o.locks[name] = &lock{}
	}
	return o.locks[name]
}

func (l *lock) enter(ctx context.Context, c cluster.Locker, patience time.Duration) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.holders == 0 {
		release, err := lockPatiently(ctx, c, patience)
		if err != nil {
			return err
		}
		l.release = release
	}
	l.holders++
	return nil
}

// leave releases the lock. The last holder calls cleanUp. cleanUp may be nil.
func (l *lock) leave(cleanUp func() error) (err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if cleanUp != nil {
		l.cleanUp = cleanUp
	}
	if l.holders--; l.holders > 0 {
		return nil
	}
	if l.cleanUp != nil {
		err, l.cleanUp = l.cleanUp(), nil
	}
	l.release()
	return err
}

// retryLock is the interval between attempts to acquire a lock that another process
// holds.
const retryLock = 100 * time.Millisecond

// lockPatiently waits for a lock that another process holds. Some processes, such
// as those of a provider block, hold the lock only briefly.
func lockPatiently(ctx context.Context, c cluster.Locker, patience time.Duration) (release func(), err error) {
	until := time.NewTimer(patience)
	defer until.Stop()
	for {
		release, err := c.Lock(ctx)
		if patience == 0 || !errors.Is(err, cluster.ErrLocked) {
			return release, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-until.C:
			return nil, err
		case <-time.After(retryLock):
		}
	}
}
