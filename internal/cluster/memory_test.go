// SPDX-License-Identifier: MPL-2.0

package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// memory is a cluster that runs no tasks. It stores applied jobs, and rejects the
// jobs that a real cluster rejects. A test can set the calls that fail.
type memory struct {
	mu      sync.Mutex
	jobs    map[string]cluster.Submission // by Framework
	secrets map[string]map[string]string
	calls   []string
	fail    map[string]error // by call, for example "delete job.a"
	before  func(call string)
	keys    int
	keyErr  error // returned by SecretKey
}

var _ cluster.Cluster = (*memory)(nil)

func newMemory() *memory {
	return &memory{jobs: map[string]cluster.Submission{}, secrets: map[string]map[string]string{}, fail: map[string]error{}}
}

func (m *memory) call(verb, name string) error {
	call := verb + " " + name
	if m.before != nil {
		m.before(call)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls = append(m.calls, call)
	return m.fail[call]
}

func (m *memory) Create(ctx context.Context, s cluster.Submission) error {
	if err := m.call("create", s.Job.Framework); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if held, ok := m.jobs[s.Job.Framework]; ok {
		return fmt.Errorf("%s holds the name", held.Job.Address)
	}
	m.jobs[s.Job.Framework], m.secrets[s.Job.Framework] = s, s.Secrets
	return ctx.Err()
}

func (m *memory) Update(ctx context.Context, s cluster.Submission) error {
	if err := m.call("update", s.Job.Framework); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.jobs[s.Job.Framework] = s
	return ctx.Err()
}

func (m *memory) Delete(ctx context.Context, framework string) error {
	if err := m.call("delete", framework); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.jobs[framework]; !ok {
		return cluster.ErrNotFound
	}
	delete(m.jobs, framework)
	delete(m.secrets, framework)
	return ctx.Err()
}

func (m *memory) SecretKey(context.Context, string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.keys++
	return []byte("the key of the workspace"), m.keyErr
}

func (m *memory) Read(_ context.Context, workspace string, _ []string) (*planner.Snapshot, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := &planner.Snapshot{SecretKey: []byte("the key of the workspace")}
	for _, job := range m.jobs {
		s.Jobs = append(s.Jobs, &planner.LiveJob{
			Address: job.Job.Address, Workspace: workspace, User: job.Job.User, Framework: job.Job.Framework,
			State: planner.StateRunning, Present: true, RunningTasks: 1,
			Hash: job.Hash, Fields: job.Fields, SecretVersions: job.SecretVersions,
		})
	}
	return s, nil
}

func (m *memory) Stop(context.Context, string) error { return errors.New("nothing runs") }

func (m *memory) Status(context.Context, string) (*cluster.Status, error) {
	return nil, cluster.ErrNotFound
}

func (m *memory) Logs(context.Context, cluster.LogRequest, io.Writer) error {
	return cluster.ErrNotFound
}
