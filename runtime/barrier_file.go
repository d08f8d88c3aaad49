// SPDX-License-Identifier: MPL-2.0

package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// FileBarrier waits for the other tasks through files in a directory that all
// local tasks share. Each task writes its own entry. The process that started the
// tasks writes the table as soon as all entries exist.
type FileBarrier struct {
	ReadyFile string        // receives this task's runspec.Host as JSON
	HostsFile string        // contains the runspec.Hosts
	Timeout   time.Duration // 0: until the context ends
}

// Intervals at which the barrier checks for the table. The interval grows from
// firstPoll to slowestPoll.
const (
	firstPoll   = 5 * time.Millisecond
	slowestPoll = 100 * time.Millisecond
)

// Wait implements [Barrier]. After the timeout, it fails with code 251.
func (b FileBarrier) Wait(ctx context.Context, self runspec.Host) (*runspec.Hosts, error) {
	if b.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, b.Timeout)
		defer cancel()
	}
	entry, err := json.Marshal(self)
	if err != nil {
		panic("runtime: " + err.Error())
	}
	if err := atomicfile.Write(b.ReadyFile, entry, 0o644); err != nil {
		return nil, &BarrierError{Code: exitspec.CodeBarrierTransient, Reason: fmt.Sprintf("this task cannot report that it is ready: %v", err)}
	}
	for interval := firstPoll; ; interval = min(interval*3/2, slowestPoll) {
		hosts, err := readHosts(b.HostsFile)
		if hosts != nil || err != nil {
			return hosts, err
		}
		timer := time.NewTimer(interval)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, waitError(ctx)
		}
	}
}

// waitError distinguishes a timeout from a request to stop.
func waitError(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &BarrierError{Code: exitspec.CodeGangTimeout, Reason: "not all tasks of the job were ready in time"}
	}
	return ctx.Err()
}

// readHosts returns nil and no error if the file does not exist.
func readHosts(name string) (*runspec.Hosts, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var hosts runspec.Hosts
	if err == nil {
		err = json.Unmarshal(text, &hosts)
	}
	if err != nil {
		return nil, &BarrierError{Code: exitspec.CodeBarrierTransient, Reason: fmt.Sprintf("cannot read the host table: %v", err)}
	}
	return &hosts, nil
}
