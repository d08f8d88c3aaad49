// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
)

// DamagedRun is a run whose record is damaged or has a newer format.
type DamagedRun struct {
	// Number and Short are parsed from the name of the record. Address is "" if
	// the name of the record does not contain the address. Framework is "" for a
	// record in the run record directory.
	Number    int
	Short     string
	Address   hclspec.Address
	Framework string
	// Problem identifies the record and the version of its format.
	Problem *history.FormatError
	// Live is the job of the run, or nil if the job was deleted or replaced.
	Live *Job

	remove func(context.Context) error
}

// Remove removes the record and its logs.
func (r DamagedRun) Remove(ctx context.Context) error { return r.remove(ctx) }

// Over reports whether the job of the run has finished or no longer exists.
func (r DamagedRun) Over(ctx context.Context) (bool, error) {
	if r.Live == nil {
		return true, nil
	}
	st, err := r.Live.Status(ctx)
	return err == nil && st.State.Finished(), err
}

// DamagedRuns lists the workspace's unreadable run records.
func (o *Operation) DamagedRuns(ctx context.Context) ([]DamagedRun, error) {
	clusters, err := o.Clusters()
	if err != nil {
		return nil, err
	}
	jobs, err := o.Jobs(ctx)
	if err != nil {
		return nil, err
	}
	all := o.records().damaged()
	for _, name := range slices.Sorted(maps.Keys(clusters)) {
		store, ok := clusters[name].(cluster.RunStore)
		if !ok {
			continue
		}
		kept, err := store.RunSizes(ctx, o.options.Workspace.Name)
		if err != nil {
			return nil, fmt.Errorf("list the runs on cluster %s: %w", name, err)
		}
		for _, k := range kept {
			_, err := store.Run(ctx, o.options.Workspace.Name, k.Key)
			r := DamagedRun{Number: k.Number, Short: k.Short, Address: k.Address, Framework: k.Framework, remove: o.removing(name, store, k.Key)}
			if !errors.As(err, &r.Problem) {
				continue
			}
			r.Live = jobOf(&history.Run{Framework: k.Framework, Number: k.Number}, name, jobs)
			all = append(all, r)
		}
	}
	return all, nil
}

func (o *Operation) removing(name string, store cluster.RunStore, k history.Key) func(context.Context) error {
	return func(ctx context.Context) error {
		return o.deleting(ctx, name, false, func(cluster.Cluster) error {
			return store.RemoveRun(ctx, o.options.Workspace.Name, k, false)
		})
	}
}

func (d recordDirectory) damaged() []DamagedRun {
	if d.name == "" {
		return nil
	}
	var all []DamagedRun
	for _, job := range d.list() {
		for _, name := range d.list(job) {
			m := recordFile.FindStringSubmatch(name)
			if m == nil {
				continue
			}
			number, _ := strconv.Atoi(m[1])
			r := DamagedRun{Number: number, Short: m[2], Address: addressOfDirectory(job), remove: func(context.Context) error { return d.removeFile(job, name) }}
			if _, err := d.read(job, name); errors.As(err, &r.Problem) {
				all = append(all, r)
			}
		}
	}
	return all
}
