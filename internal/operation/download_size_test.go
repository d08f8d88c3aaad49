// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// recorded is a cluster with run records, oldest first. statuses counts the
// status requests.
type recorded struct {
	cluster.Cluster
	cluster.RunStore
	runs     []*history.Run
	live     []exitspec.Fetched // files that the tasks of an existing job fetched
	fail     error
	statuses int
}

func (c *recorded) RunSizes(context.Context, string) ([]history.Size, error) {
	var all []history.Size
	for i, r := range c.runs {
		all = append(all, history.Size{Key: r.Key(), Order: int64(i)})
	}
	return all, c.fail
}

func (c *recorded) Run(_ context.Context, _ string, k history.Key) (*history.Run, error) {
	i := slices.IndexFunc(c.runs, func(r *history.Run) bool { return r.Key() == k })
	if len(c.runs[i].Data) == 0 {
		return nil, errors.New("the record is damaged")
	}
	return c.runs[i], nil
}

func (c *recorded) Status(context.Context, string) (*cluster.Status, error) {
	c.statuses++
	st := oneTask(nil)
	st.TaskRoles[0].Tasks[0].Latest().Exit = &exitspec.Record{Fetched: c.live}
	return st, nil
}

// TestAPlanLearnsTheSizesOfDownloads checks which run records a plan uses.
func TestAPlanLearnsTheSizesOfDownloads(t *testing.T) {
	t.Parallel()
	const url = "https://example.org/a.zip"
	sum, other := strings.Repeat("a", 64), strings.Repeat("b", 64)
	run := func(n int, data ...history.Data) *history.Run {
		return &history.Run{Framework: "f", UID: "uid", Number: n, Outcome: &history.Outcome{}, Data: data}
	}
	unfinished := func() []*history.Run {
		r := run(1, history.Data{Prerequisite: "prerequisite.data.a", URL: url})
		r.Outcome = nil
		return []*history.Run{r}
	}
	tests := map[string]struct {
		runs     []*history.Run
		download planner.Download
		live     []*planner.LiveJob
		fail     error
		want     int64
		statuses int
	}{
		"the newest run that knows the size": {
			runs: []*history.Run{run(1, history.Data{URL: url, Bytes: 1}), run(2, history.Data{URL: url, Bytes: 2}), run(3, history.Data{URL: url})}, want: 2,
		},
		"the declared hash": {
			runs:     []*history.Run{run(1, history.Data{URL: url, SHA256: sum, Bytes: 1}), run(2, history.Data{URL: url, SHA256: other, Bytes: 2})},
			download: planner.Download{SHA256: sum}, want: 1,
		},
		"two prerequisites with one URL": {runs: []*history.Run{run(1, history.Data{URL: url}, history.Data{URL: url, Bytes: 5})}, want: 5},
		"another URL":                    {runs: []*history.Run{run(1, history.Data{URL: url + "2", Bytes: 1})}},
		"a known size":                   {runs: []*history.Run{run(1, history.Data{URL: url, Bytes: 1})}, download: planner.Download{Size: 7}, want: 7},
		"a record that cannot be read":   {runs: []*history.Run{run(1, history.Data{URL: url, Bytes: 1}), run(2)}, want: 1},
		"a history that cannot be read":  {fail: errors.New("refused")},
		"a job without an outcome in its record": {
			runs: unfinished(), live: []*planner.LiveJob{{Framework: "f", UID: "uid", Run: 1}}, want: 9, statuses: 1,
		},
		"another job with the same Framework": {runs: unfinished(), live: []*planner.LiveJob{{Framework: "f", UID: "new", Run: 1}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &recorded{runs: tt.runs, fail: tt.fail, live: []exitspec.Fetched{{Step: "prerequisite.data.a", URL: url, Bytes: 9}}}
			tt.download.Cluster, tt.download.URL = "c", url
			p := &Plan{
				Plan:     &planner.Plan{Inputs: planner.Inputs{Downloads: []planner.Download{tt.download}}},
				Clusters: map[string]cluster.Cluster{"c": c}, Live: map[string]*planner.Snapshot{"c": {Jobs: tt.live}},
			}
			New(Options{Workspace: &hclspec.Workspace{Name: "ws"}}).learnSizes(t.Context(), p)
			if got := p.Inputs.Downloads[0].Size; got != tt.want || c.statuses != tt.statuses {
				t.Errorf("size %d after %d requests for a status, want %d after %d", got, c.statuses, tt.want, tt.statuses)
			}
		})
	}
}

// TestAPlanReadsALimitedNumberOfRecords checks that a long history does not slow down
// every plan.
func TestAPlanReadsALimitedNumberOfRecords(t *testing.T) {
	t.Parallel()
	c := &recorded{}
	var downloads []planner.Download
	for n := range 2 * maxSizeRecords {
		url := fmt.Sprint("https://example.org/", n)
		c.runs = append(c.runs, &history.Run{Framework: "f", Number: n + 1, Outcome: &history.Outcome{}, Data: []history.Data{{URL: url, Bytes: 1}}})
		downloads = append(downloads, planner.Download{Cluster: "c", URL: url})
	}
	p := &Plan{Plan: &planner.Plan{Inputs: planner.Inputs{Downloads: downloads}}, Clusters: map[string]cluster.Cluster{"c": c}, Live: map[string]*planner.Snapshot{"c": {}}}
	New(Options{Workspace: &hclspec.Workspace{Name: "ws"}}).learnSizes(t.Context(), p)
	known := 0
	for _, d := range downloads {
		known += int(d.Size)
	}
	if diff := cmp.Diff(maxSizeRecords, known); diff != "" {
		t.Errorf("known sizes (-want +got)\n%s", diff)
	}
}
