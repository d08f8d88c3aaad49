// SPDX-License-Identifier: MPL-2.0

//go:build unix && !linux

package runtime

import (
	"os"
	"time"
)

// reaper works only on Linux, because other systems reparent orphans to process 1.
type reaper struct{}

func newReaper() (*reaper, error) { return nil, errNoReaper }

func (*reaper) start([]string, *os.ProcAttr) (*process, error) { return nil, errNoReaper }

func (*reaper) close(time.Duration) {}
