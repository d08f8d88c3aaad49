// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// Statuses returns the statuses of jobs in the order of the jobs. They include the
// stages of running tasks. After a cluster returns an error other than
// cluster.ErrNotFound, Statuses skips the remaining jobs on that cluster. The
// returned error joins all errors.
func Statuses(ctx context.Context, jobs []Job) ([]*cluster.Status, error) {
	var all []*cluster.Status
	var errs []error
	failed := map[string]bool{}
	on := map[cluster.Cluster][]*cluster.Status{}
	reader := newStatusReader(jobs)
	for _, j := range jobs {
		if failed[j.On] {
			continue
		}
		st, err := reader.status(ctx, j)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			failed[j.On] = !errors.Is(err, cluster.ErrNotFound) // not for a job that was just deleted
			errs = append(errs, err)
			continue
		}
		all = append(all, st)
		if j.Cluster != nil {
			on[j.Cluster] = append(on[j.Cluster], st)
		}
	}
	for c, statuses := range on {
		cluster.AddStages(ctx, c, statuses...)
	}
	return all, errors.Join(errs...)
}

// statusReader reads the statuses of the given jobs. It reads several statuses
// together on each cluster that is a [cluster.StatusLister].
type statusReader struct {
	frameworks map[cluster.Cluster][]string
	read       map[cluster.Cluster]cluster.StatusFunc
}

func newStatusReader(jobs []Job) *statusReader {
	r := &statusReader{map[cluster.Cluster][]string{}, map[cluster.Cluster]cluster.StatusFunc{}}
	for _, j := range jobs {
		r.frameworks[j.Cluster] = append(r.frameworks[j.Cluster], j.Framework)
	}
	return r
}

// status returns the status of a job. The first call for a cluster reads the
// statuses of all given jobs on that cluster.
func (r *statusReader) status(ctx context.Context, j Job) (*cluster.Status, error) {
	lister, ok := j.Cluster.(cluster.StatusLister)
	if !ok || len(r.frameworks[j.Cluster]) == 1 {
		return j.Status(ctx)
	}
	return j.statusFrom(ctx, func(ctx context.Context, framework string) (*cluster.Status, error) {
		if r.read[j.Cluster] == nil {
			read, err := lister.ListStatuses(ctx, r.frameworks[j.Cluster])
			if err != nil {
				return nil, err
			}
			r.read[j.Cluster] = read
		}
		return r.read[j.Cluster](ctx, framework)
	})
}
