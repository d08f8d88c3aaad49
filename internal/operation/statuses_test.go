// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// batch is a cluster that can read several jobs in one request. It counts the
// requests.
type batch struct {
	answering
	lists  [][]string
	single int
	err    error
}

func (l *batch) Status(ctx context.Context, framework string) (*cluster.Status, error) {
	l.single++
	return l.answering.Status(ctx, framework)
}

func (l *batch) ListStatuses(_ context.Context, frameworks []string) (cluster.StatusFunc, error) {
	l.lists = append(l.lists, frameworks)
	return func(ctx context.Context, framework string) (*cluster.Status, error) {
		if framework == "gone" {
			return nil, cluster.NotFound("Framework gone does not exist")
		}
		return l.answering.Status(ctx, framework)
	}, l.err
}

func TestStatusesOfSeveralJobsAreReadTogether(t *testing.T) {
	t.Parallel()
	near, far, alone, down := &batch{}, &batch{}, &batch{}, &batch{err: errors.New("no answer")}
	jobs := []operation.Job{
		{Address: "job.a", Framework: "a", Cluster: far, On: "far"},
		{Address: "job.b", Framework: "b", Cluster: near, On: "near"},
		{Address: "job.gone", Framework: "gone", Cluster: far, On: "far"},
		{Address: "job.c", Framework: "c", Cluster: far, On: "far"},
		{Address: "job.d", Framework: "d", Cluster: near, On: "near"},
		{Address: "job.e", Framework: "e", Cluster: alone, On: "alone"},
		{Address: "job.f", Framework: "f", Cluster: down, On: "down"},
		{Address: "job.g", Framework: "g", Cluster: down, On: "down"},
		{Address: "job.absent"},
	}
	statuses, err := operation.Statuses(t.Context(), jobs)
	var found []string
	for _, st := range statuses {
		found = append(found, st.Framework)
	}
	if !slices.Equal(found, []string{"a", "b", "c", "d", "e", ""}) || statuses[len(statuses)-1].State != planner.StateAbsent {
		t.Errorf("the statuses are of %q", found)
	}
	if !errors.Is(err, cluster.ErrNotFound) || strings.Count(err.Error(), "no answer") != 1 {
		t.Errorf("the error is %v", err)
	}
	for name, c := range map[string]struct {
		*batch
		lists, single int
	}{"near": {near, 1, 0}, "far": {far, 1, 0}, "alone": {alone, 0, 1}, "down": {down, 1, 0}} {
		if len(c.batch.lists) != c.lists || c.batch.single != c.single {
			t.Errorf("cluster %s: lists %q and %d single reads", name, c.batch.lists, c.batch.single)
		}
	}
	if !slices.Equal(far.lists[0], []string{"a", "gone", "c"}) {
		t.Errorf("read %q", far.lists[0])
	}
}
