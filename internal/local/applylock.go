package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"
)

// applier is the content of the lock file: who holds the lock.
type applier struct {
	PID   int       `json:"pid"`
	Since time.Time `json:"since"`
}

// Lock implements cluster.Locker: it keeps every other process from changing
// jobs of this directory, until this process ends at the latest. It fails at
// once when another one holds the lock, and names it. Create, Update and Delete
// take the lock themselves; a command that changes several jobs takes it around
// all of them.
func (c *Cluster) Lock(context.Context) (release func(), err error) { return c.hold() }

func (c *Cluster) hold() (release func(), err error) {
	if err := c.prepareDir(); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.holder == 0 {
		lock, err := tryLock(c.layout.lock())
		if errors.Is(err, errLocked) {
			return nil, c.heldBy()
		}
		if err != nil {
			return nil, err
		}
		if err := sign(lock.file, applier{os.Getpid(), c.options.Now()}); err != nil && !noRoom(err) {
			lock.release()
			return nil, fmt.Errorf("lock the workspace: %w", err)
		}
		c.lock = lock
	}
	c.holder++
	return c.unlock, nil
}

func (c *Cluster) unlock() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.holder--; c.holder == 0 {
		c.lock.release()
		c.lock = nil
	}
}

// sign writes into the lock file, which must stay the same file.
func sign(f *os.File, who applier) error {
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

func (c *Cluster) heldBy() error {
	var who applier
	if readJSON(c.layout.lock(), &who) != nil || who.PID == 0 {
		return fmt.Errorf("lock the workspace %s: another process is changing its jobs; try again when it has ended", c.dir)
	}
	return fmt.Errorf("lock the workspace %s: process %d has been changing its jobs since %s; try again when it has ended",
		c.dir, who.PID, who.Since.Format(time.TimeOnly))
}
