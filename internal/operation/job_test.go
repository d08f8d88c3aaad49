// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// silent is a cluster that does not respond.
type silent struct {
	fake
	asked int
}

var errSilent = errors.New("no answer")

func (s *silent) Read(context.Context, string, []string) (*planner.Snapshot, error) {
	return nil, errSilent
}

func (s *silent) Status(context.Context, string) (*cluster.Status, error) {
	s.asked++
	return nil, errSilent
}

// answering is a cluster that returns a status for every job.
type answering struct{ fake }

func (*answering) Status(_ context.Context, framework string) (*cluster.Status, error) {
	return &cluster.Status{Framework: framework, State: planner.StateRunning}, nil
}

func TestStatusesAskASilentClusterOnce(t *testing.T) {
	t.Parallel()
	far := &silent{}
	jobs := []operation.Job{
		{Address: "job.a", Framework: "a", Cluster: far, On: "far"},
		{Address: "job.b", Framework: "b", Cluster: &answering{}, On: "near"},
		{Address: "job.c", Framework: "c", Cluster: far, On: "far"},
		{Address: "job.d"},
	}
	statuses, err := operation.Statuses(t.Context(), jobs)
	if len(statuses) != 2 || statuses[0].Framework != "b" || statuses[1].State != planner.StateAbsent {
		t.Errorf("the statuses are %v", statuses)
	}
	if err == nil || strings.Count(err.Error(), "no answer") != 1 || far.asked != 1 {
		t.Errorf("the error is %v after %d requests", err, far.asked)
	}
}
