//go:build !unix

package fetch

import (
	"errors"
	"os"
)

// tryLock fails: tasks run on Linux and macOS only.
func tryLock(*os.File) (bool, error) { return false, errors.ErrUnsupported }

func noLocks(error) bool { return false }
