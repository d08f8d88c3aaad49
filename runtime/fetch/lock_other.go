// SPDX-License-Identifier: MPL-2.0

//go:build !unix

package fetch

import (
	"errors"
	"os"
)

// tryLock is not implemented for this system, because tasks run only on Linux
// and macOS.
func tryLock(*os.File) (bool, error) { return false, errors.ErrUnsupported }

func noLocks(error) bool { return false }
