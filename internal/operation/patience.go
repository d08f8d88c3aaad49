// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"
	"sync"
	"time"
)

// firstLogTime limits the first read of the logs of a job. Streams of logs have no
// timeout, and deletions wait for them.
const firstLogTime = 10 * time.Second

// logPatience limits the time to read logs for the records of runs. Each timeout halves
// the time for the next read, so that many jobs on nodes that do not respond cost at
// most twice firstLogTime in sequence.
type logPatience struct {
	mu       sync.Mutex
	timeouts int
}

// limit returns a context for reading the logs of a job. The caller must call done
// after the read.
func (p *logPatience) limit(ctx context.Context) (limited context.Context, done func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	limited, cancel := context.WithTimeout(ctx, firstLogTime>>p.timeouts)
	return limited, func() {
		defer cancel()
		if ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.timeouts++
		}
	}
}
