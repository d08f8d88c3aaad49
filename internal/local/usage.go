// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// usageTime is the interval over which CPU usage is measured.
const usageTime = 500 * time.Millisecond

// AddUsage implements cluster.UsageSource.
func (c *Cluster) AddUsage(ctx context.Context, all []*cluster.Status) error {
	var running []*cluster.TaskAttempt
	for _, st := range all {
		for _, a := range st.Measurable() {
			if a.PID > 0 && isAlive(store.TaskDir(filepath.Dir(a.LogDir))) {
				running = append(running, a)
			}
		}
	}
	if len(running) == 0 {
		return nil
	}
	before, err := process.Measure()
	if err != nil {
		return fmt.Errorf("measure the processes of tasks: %w", err)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(usageTime):
	}
	now, err := process.Measure()
	if err != nil {
		return fmt.Errorf("measure the processes of tasks: %w", err)
	}
	for _, a := range running {
		if cores, memory, ok := now.Tree(a.PID, before); ok {
			a.Usage = &cluster.Usage{CPU: cores, Memory: memory}
		}
	}
	return nil
}
