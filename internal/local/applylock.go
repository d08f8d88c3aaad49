// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// lockHolder is the content of the lock file. It identifies the process that holds
// the lock.
type lockHolder struct {
	PID   int       `json:"pid"`
	Since time.Time `json:"since"`
}

// Lock implements cluster.Locker. It prevents other processes from changing jobs in
// this directory until release is called or this process ends. If a running process
// holds the lock, Lock fails immediately with an error that identifies that process.
// Lock waits for the lock of a killed process; see abandonedPatience. Create, Update
// and Delete acquire the lock themselves. A command that changes several jobs holds
// the lock until all its jobs are changed.
func (c *Cluster) Lock(context.Context) (release func(), err error) { return c.acquire() }

func (c *Cluster) acquire() (release func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.layout.Prepare(); err != nil {
		return nil, err
	}
	if c.holders == 0 {
		lock, err := c.tryLock()
		if errors.Is(err, fs.ErrNotExist) { // another process removed the file during its cleanup
			if err = c.layout.Prepare(); err == nil {
				lock, err = c.tryLock()
			}
		}
		if errors.Is(err, store.ErrLocked) {
			return nil, &lockedError{c.dir, c.holder()}
		}
		if err != nil {
			return nil, err
		}
		if err := writeHolder(lock.File, lockHolder{os.Getpid(), c.options.Now()}); err != nil && !store.IsDiskFull(err) {
			lock.Release()
			return nil, fmt.Errorf("lock the workspace: %w", err)
		}
		c.lock = lock
	}
	c.holders++
	return c.unlock, nil
}

// abandonedPatience is the maximum wait for the lock of a killed command. A
// process that the killed command was starting holds the lock until the
// process executes its program.
const abandonedPatience = 15 * time.Second

func (c *Cluster) tryLock() (*store.Lock, error) {
	for deadline := time.Now().Add(abandonedPatience); ; {
		lock, err := store.TryLock(c.layout.LockFile())
		if !errors.Is(err, store.ErrLocked) || !c.holder().ended() || time.Now().After(deadline) {
			return lock, err
		}
	}
}

// holder returns the process in the lock file, or the zero value if no process is
// recorded.
func (c *Cluster) holder() lockHolder {
	var who lockHolder
	_ = store.ReadJSON(c.layout.LockFile(), &who)
	return who
}

// ended reports whether the recorded process has ended. It returns false if
// no process is recorded.
func (h lockHolder) ended() bool {
	if h.PID == 0 {
		return false
	}
	_, err := process.Identify(h.PID)
	return errors.Is(err, process.ErrEnded)
}

// readerTimeout is the maximum wait of a read-only command for the lock of a
// killed command. A process that the killed command was starting, such as a
// supervisor, may still hold the lock.
const readerTimeout = time.Second

// locked reports whether a live command is changing jobs. It returns false if a
// killed command held the lock.
func (c *Cluster) locked() (bool, error) {
	for deadline := time.Now().Add(readerTimeout); ; time.Sleep(pollEnd) {
		held, err := store.IsLocked(c.layout.LockFile())
		if !held || err != nil {
			return false, err
		}
		if !c.holder().ended() {
			return true, nil
		}
		if time.Now().After(deadline) {
			return false, nil
		}
	}
}

func (c *Cluster) unlock() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.holders--; c.holders == 0 {
		c.lock.Release()
		c.lock = nil
	}
}

// writeHolder writes the holder into the lock file. It overwrites the file in
// place, because a new file would not be locked.
func writeHolder(f *os.File, who lockHolder) error {
	text, err := json.Marshal(who)
	if err != nil {
		return err
	}
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err = f.WriteAt(text, 0)
	return err
}

// lockedError is the error for a workspace whose lock is held by another
// process. The message identifies that process if its PID is known. The error
// wraps store.ErrLocked.
type lockedError struct {
	dir    string
	holder lockHolder
}

func (e *lockedError) Error() string {
	if e.holder.PID == 0 {
		return fmt.Sprintf("lock the workspace %s: another process is changing the jobs of the workspace; try again when that process has ended", e.dir)
	}
	return fmt.Sprintf("lock the workspace %s: process %d has been changing the jobs of the workspace since %s; try again when the process has ended",
		e.dir, e.holder.PID, e.holder.Since.Format(time.TimeOnly))
}

func (e *lockedError) Unwrap() []error { return []error{store.ErrLocked, cluster.ErrLocked} }
