// SPDX-License-Identifier: MPL-2.0

package local

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// releaseGang writes the host table once each task of a gang is waiting or
// completed. As on a Kubernetes cluster, tasks without gang allocation do not
// receive a host table.
func (s *supervisor) releaseGang() {
	if s.released || !s.allReady() {
		return
	}
	if err := s.writeHosts(); err != nil {
		s.log("%v", err)
		s.wakeAt(s.now().Add(pollObject))
		return
	}
	s.released = true
	s.markChanged()
}

// allReady reports whether all wanted tasks are waiting for their gang.
func (s *supervisor) allReady() bool {
	ready := true
	s.eachTask(func(key store.TaskKey, t *framework.TaskStatus) {
		if t.DeletionPending || t.State == framework.StateCompleted {
			return
		}
		p := s.pods[key]
		ready = ready && p != nil && p.ready
	})
	return ready
}

// writeHosts writes the host table for the wanted tasks, with the roles in
// declared order.
func (s *supervisor) writeHosts() error {
	table := &runspec.Hosts{Tasks: []runspec.Host{}}
	s.eachTask(func(key store.TaskKey, t *framework.TaskStatus) {
		if host, known := s.hosts[key]; known && !t.DeletionPending {
			table.Tasks = append(table.Tasks, host)
		}
	})
	file := s.layout.Hosts(s.object.Name, s.fw.Status.AttemptStatus.ID)
	err := os.MkdirAll(filepath.Dir(file), 0o755)
	if err = errors.Join(err, store.WriteJSON(file, table)); err != nil {
		return fmt.Errorf("publish the host table: %w", err)
	}
	return nil
}
