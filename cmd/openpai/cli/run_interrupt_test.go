// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

func TestSignalsThatFollowImmediatelyAreOneInterrupt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		at            []time.Duration // of the signals
		first, second bool
	}{
		"no signal":                        {nil, false, false},
		"one":                              {[]time.Duration{0}, true, false},
		"to the process and to its group":  {[]time.Duration{0, time.Millisecond}, true, false},
		"to a process, group and terminal": {[]time.Duration{0, time.Millisecond, 200 * time.Millisecond}, true, false},
		"two of the user":                  {[]time.Duration{0, 300 * time.Millisecond}, true, true},
		"one, doubled, and another":        {[]time.Duration{0, time.Millisecond, time.Hour}, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				signals := make(chan os.Signal)
				i, stop := countInterrupts(t.Context(), signals, time.Now)
				defer stop()
				start := time.Now()
				for _, at := range c.at {
					time.Sleep(at - time.Since(start))
					signals <- os.Interrupt
				}
				synctest.Wait()
				if first, second := i.first.Err() != nil, i.second.Err() != nil; first != c.first || second != c.second {
					t.Errorf("first %v, second %v, want %v, %v", first, second, c.first, c.second)
				}
			})
		})
	}
}

// slowToStop is a cluster that needs some time to record the request to stop.
type slowToStop struct {
	cluster.Cluster
	takes    time.Duration
	recorded bool
}

func (c *slowToStop) Stop(ctx context.Context, _ string) error {
	select {
	case <-time.After(c.takes):
		c.recorded = true
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestASecondInterruptDoesNotCancelTheRequestToStop(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		takes, waited time.Duration
		recorded      bool
	}{
		"the stop request is recorded soon":                  {time.Second, time.Second, true},
		"the cluster does not respond":                       {time.Hour, stopRequestTime, false},
		"the stop request is recorded before the interrupts": {0, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				first, endFirst := context.WithCancel(t.Context())
				second, endSecond := context.WithCancel(t.Context())
				lab := &slowToStop{takes: c.takes}
				o := &runOptions{streams: &Streams{err: io.Discard}}
				following, release := o.stopOnInterrupt(&interrupts{first: first, second: second}, []operation.Job{{Address: "job.train", Cluster: lab}})
				start := time.Now()
				endFirst()
				synctest.Wait()
				endSecond()
				<-following.Done()
				err := release()
				if lab.recorded != c.recorded || (err == nil) != c.recorded || err != nil && !errors.Is(err, context.Canceled) {
					t.Errorf("recorded %v, error %v", lab.recorded, err)
				}
				if waited := time.Since(start); waited != c.waited {
					t.Errorf("release returned after %s, want %s", waited, c.waited)
				}
			})
		})
	}
}
