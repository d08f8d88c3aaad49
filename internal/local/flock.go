package local

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// errLocked says that another process holds a lock.
var errLocked = errors.New("locked by another process")

// fileLock is a lock on a file. The system releases it when the process ends,
// however it ends, so no lock is ever left behind.
type fileLock struct{ file *os.File }

// lockFile locks a file, which is made when missing. Without wait it fails
// with errLocked when another process holds the lock.
func lockFile(name string, wait bool) (*fileLock, error) {
	for {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, fmt.Errorf("lock: %w", err)
		}
		if err := flock(f, true, wait); err != nil {
			_ = f.Close()
			return nil, lockError(name, err)
		}
		if sameFile(f, name) {
			return &fileLock{f}, nil
		}
		_ = f.Close() // removed while we waited: the lock is on nothing
	}
}

// How long tryLock tries, and how often.
const (
	lockTries = 40
	lockPause = 5 * time.Millisecond
)

// tryLock locks a file unless another process keeps it locked. A lock that
// lasts an instant only is waited for: commands test locks, and a process that
// is just being started holds those of its parent until it runs its program.
func tryLock(name string) (*fileLock, error) {
	for range lockTries {
		lock, err := lockFile(name, false)
		if !errors.Is(err, errLocked) {
			return lock, err
		}
		time.Sleep(lockPause)
	}
	return nil, errLocked
}

// locked reports whether some process holds the lock. It does not disturb
// those who want it: the test takes a shared lock for a moment.
func locked(name string) (bool, error) {
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("test lock: %w", err)
	}
	defer func() { _ = f.Close() }()
	err = flock(f, false, false)
	if errors.Is(err, errLocked) {
		return true, nil
	}
	if err != nil {
		return false, lockError(name, err)
	}
	return false, nil
}

func (l *fileLock) release() { _ = l.file.Close() }

func lockError(name string, err error) error {
	if errors.Is(err, errLocked) {
		return err
	}
	return fmt.Errorf("lock %s: %w", name, err)
}

func sameFile(f *os.File, name string) bool {
	here, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(name)
	return err == nil && os.SameFile(here, there)
}
