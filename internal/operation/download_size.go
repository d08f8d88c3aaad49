// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"cmp"
	"context"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// maxSizeRecords is the maximum number of run records that a plan reads per
// cluster to find download sizes.
const maxSizeRecords = 200

// downloads looks up download sizes on the clusters, then in the lock file.
func (o *Operation) downloads(clusters map[string]cluster.Cluster) planner.Downloads {
	return func(name string, f *resolve.Fetch) (size int64, cached bool) {
		if holder, ok := clusters[name].(cluster.DownloadHolder); ok {
			size, cached = holder.Downloaded(f)
		}
		if size == 0 && !cached && o.options.DownloadSize != nil {
			size = o.options.DownloadSize(f)
		}
		return size, cached
	}
}

// learnSizes sets unknown download sizes to the sizes in the latest runs on the same
// cluster. If a read fails, the sizes remain unknown.
func (o *Operation) learnSizes(ctx context.Context, p *Plan) {
	wanted := map[string][]*planner.Download{} // by cluster
	for i := range p.Inputs.Downloads {
		if d := &p.Inputs.Downloads[i]; d.Size == 0 {
			wanted[d.Cluster] = append(wanted[d.Cluster], d)
		}
	}
	for name, downloads := range wanted {
		store, ok := p.Clusters[name].(cluster.RunStore)
		if !ok {
			continue
		}
		s := sizeSearch{store: store, cluster: p.Clusters[name], live: p.Live[name], workspace: o.options.Workspace.Name, wanted: downloads}
		s.search(ctx)
	}
}

// sizeSearch looks for the sizes of downloads in the run records of one cluster.
type sizeSearch struct {
	store     cluster.RunStore
	cluster   cluster.Cluster
	live      *planner.Snapshot
	workspace string
	wanted    []*planner.Download // without a size
}

// search reads records, newest first, until all sizes are known.
func (s *sizeSearch) search(ctx context.Context) {
	kept, err := s.store.RunSizes(ctx, s.workspace)
	if err != nil {
		return
	}
	slices.SortStableFunc(kept, func(a, b history.Size) int {
		return cmp.Or(cmp.Compare(b.Order, a.Order), cmp.Compare(b.Number, a.Number))
	})
	for batch := range slices.Chunk(kept[:min(len(kept), maxSizeRecords)], runRequests) {
		for _, r := range readRuns(batch, func(k history.Size) *history.Run { return s.read(ctx, k.Key) }) {
			s.learn(ctx, r)
		}
		if len(s.wanted) == 0 {
			return
		}
	}
}

// read returns the record of a run, or nil if it cannot be read.
func (s *sizeSearch) read(ctx context.Context, k history.Key) *history.Run {
	r, err := s.store.Run(ctx, s.workspace, k)
	if err != nil {
		return nil
	}
	return r
}

// learn sets the sizes of downloads that the run r fetched. It also reads the status
// of an existing job, because the record may not yet contain all data.
func (s *sizeSearch) learn(ctx context.Context, r *history.Run) {
	if r == nil || !slices.ContainsFunc(s.wanted, func(d *planner.Download) bool { return len(fetched(r, d)) > 0 }) {
		return
	}
	if live := s.live.Job(r.Framework); live != nil && live.Run == r.Number && live.UID == r.UID && r.Outcome == nil {
		if st, err := s.cluster.Status(ctx, r.Framework); err == nil {
			addFetched(r, st)
		}
	}
	s.wanted = slices.DeleteFunc(s.wanted, func(d *planner.Download) bool {
		for _, data := range fetched(r, d) {
			d.Size = max(d.Size, data.Bytes)
		}
		return d.Size > 0
	})
}

// fetched returns the recorded data with the URL of the download. The hash
// must also match if the download declares one.
func fetched(r *history.Run, d *planner.Download) []history.Data {
	var all []history.Data
	for _, data := range r.Data {
		if data.URL == d.URL && (d.SHA256 == "" || d.SHA256 == data.SHA256) {
			all = append(all, data)
		}
	}
	return all
}
