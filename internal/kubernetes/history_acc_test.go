// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

func newRun(number int, uid string) *history.Run {
	return &history.Run{
		Number: number, UID: uid + "-0000-4000-8000-000000000000", Address: "job.a", Workspace: "ws", Framework: "f0", Job: []byte(`{"name":"a"}`),
	}
}

// TestTheHistoryIsKeptInConfigMaps checks that compare-and-swap assigns
// numbers, and that each run has one document. It also checks that the
// history excludes other workspaces and that plans do not read the history.
func TestTheHistoryIsKeptInConfigMaps(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	c, ctx := open(t, namespace, "ws"), t.Context()
	if numbers, err := cluster.NumberRuns(ctx, c, "ws", nil, []cluster.Numbering{{Address: "job.a", Framework: "f0"}}); err != nil || numbers["job.a"] != 1 {
		t.Fatalf("%v, error %v", numbers, err)
	}
	old, err := c.Counters(ctx, "ws")
	if err != nil {
		t.Fatal(err)
	}
	if numbers, err := cluster.NumberRuns(ctx, c, "ws", nil, []cluster.Numbering{{Address: "job.a", Framework: "f0"}}); err != nil || numbers["job.a"] != 2 {
		t.Fatalf("%v, error %v", numbers, err)
	}
	for _, counters := range []*history.Counters{old, {Last: old.Last}} {
		if err := c.SaveCounters(ctx, "ws", counters); !errors.Is(err, cluster.ErrCountersChanged) {
			t.Errorf("SaveCounters accepted outdated counters: %v", err)
		}
	}

	first := newRun(1, "aaaaaaaa")
	first.Logs = []history.Log{{Role: "worker", Tail: "the end\n"}}
	large := newRun(2, "bbbbbbbb")
	large.Logs = []history.Log{{Tail: incompressible(maxRunBytes)}}
	for _, r := range []*history.Run{first, large, first} {
		if err := c.SaveRun(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.SaveRun(ctx, newRun(1, "cccccccc")); !errors.Is(err, cluster.ErrRunTaken) {
		t.Errorf("a run replaced another run with the same name: %v", err)
	}
	other := newRun(1, "dddddddd")
	other.Workspace = "other"
	if err := open(t, namespace, "other").SaveRun(ctx, other); !errors.Is(err, cluster.ErrRunTaken) {
		t.Errorf("a run replaced a run of another workspace with the same name: %v", err)
	}
	if diff := cmp.Diff([]string{"job.a@1 kept", "job.a@2 without logs"}, described(t, c)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var text strings.Builder
	if r, err := c.Run(ctx, "ws", first.Key()); err != nil || c.RunLog(ctx, r, r.Logs[0], &text) != nil || text.String() != "the end\n" {
		t.Errorf("log %q, error %v", text.String(), err)
	}
	if in, err := c.readInventory(ctx, "ws"); err != nil || len(in.runs) > 0 {
		t.Errorf("the plan reads %v, error %v", in.runs, err)
	}

	if err := cluster.MoveRuns(ctx, c, "ws", map[hclspec.Address]hclspec.Address{"job.a": "job.b"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"job.b@1 kept", "job.b@2 without logs"}, described(t, c)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	gone, err := c.Counters(ctx, "ws")
	if err != nil {
		t.Fatal(err)
	}
	if err := cluster.ForgetRuns(ctx, c, "ws", nil); err != nil {
		t.Fatal(err)
	}
	mustBeGone(t, namespace)
	if err := c.SaveCounters(ctx, "ws", gone); !errors.Is(err, cluster.ErrCountersChanged) {
		t.Errorf("SaveCounters accepted counters that another process had removed: %v", err)
	}
}

// TestTheHistoryHasItsDefaultLimit prunes a history of more than 32 MiB. Only
// the oldest records are removed; the only run of another job remains.
func TestTheHistoryHasItsDefaultLimit(t *testing.T) {
	t.Parallel()
	c, ctx := open(t, newNamespace(t), "ws"), t.Context()
	const runs = 80
	noise := incompressible(300 << 10) // 450 KiB compressed
	for n := 1; n <= runs; n++ {
		r := newRun(n, fmt.Sprintf("%08d", n))
		r.Logs = []history.Log{{Role: "worker", Tail: noise}}
		if n == 1 {
			r.Address, r.Framework = "job.b", "f1"
		}
		if err := c.SaveRun(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := c.RunSizes(ctx, "ws")
	if err != nil || len(kept) != runs {
		t.Fatalf("%d records, error %v", len(kept), err)
	}
	removed, _, err := cluster.PruneRuns(ctx, c, "ws", kept, c.RunLimits(), false)
	if err != nil {
		t.Fatal(err)
	}
	left, err := c.RunSizes(ctx, "ws")
	if err != nil {
		t.Fatal(err)
	}
	numbers, bytes := map[int]bool{}, int64(0)
	for _, k := range left {
		numbers[k.Number], bytes = true, bytes+k.Bytes
	}
	if len(left)+len(removed) != runs || bytes > 32<<20 || bytes < 31<<20 {
		t.Errorf("%d records of %d bytes remain, %d were removed", len(left), bytes, len(removed))
	}
	if !numbers[1] || !numbers[runs] || numbers[2] {
		t.Errorf("the runs %v remain, want the only run of job.b and the newest runs of job.a", numbers)
	}
}

// TestADocumentIsRemovedByItsUID checks that RemoveRun does not remove a newer
// document with the same name.
func TestADocumentIsRemovedByItsUID(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	c, ctx := open(t, namespace, "ws"), t.Context()
	first := newRun(1, "aaaaaaaa")
	if err := c.SaveRun(ctx, first); err != nil {
		t.Fatal(err)
	}
	other := open(t, namespace, "ws")
	if err := other.RemoveRun(ctx, "ws", first.Key(), false); err != nil {
		t.Fatal(err)
	}
	if err := other.SaveRun(ctx, newRun(1, "bbbbbbbb")); err != nil {
		t.Fatal(err)
	}
	if err := c.RemoveRun(ctx, "ws", first.Key(), false); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"job.a@1 kept"}, described(t, c)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func described(t *testing.T, c *Cluster) []string {
	t.Helper()
	runs, err := c.Runs(t.Context(), "ws")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, r := range runs {
		kept := " kept"
		if len(r.Omitted) > 0 {
			kept = " without " + strings.Join(r.Omitted, ", ")
		}
		all = append(all, r.Reference()+kept)
	}
	slices.Sort(all)
	return all
}

// incompressible returns a string that gzip cannot compress below the given size.
func incompressible(size int) string {
	var b strings.Builder
	state := uint32(1)
	for b.Len() < 2*size {
		state = state*1664525 + 1013904223
		b.WriteByte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/"[state>>26])
	}
	return b.String()
}

// TestTheErrorContainsTheDamagedRecord also checks that the other runs can still be
// read.
func TestTheErrorContainsTheDamagedRecord(t *testing.T) {
	t.Parallel()
	c, ctx := open(t, newNamespace(t), "ws"), t.Context()
	if err := c.SaveRun(ctx, newRun(1, "aaaaaaaa")); err != nil {
		t.Fatal(err)
	}
	damaged := newRun(2, "bbbbbbbb")
	if err := c.SaveRun(ctx, damaged); err != nil {
		t.Fatal(err)
	}
	name := contract.HistoryConfigMap("f0", 2)
	later := pack([]byte(`{"version":9}`))
	if err := c.merge(ctx, api.ConfigMaps, name, map[string]any{"binaryData": map[string]any{runKey: later}}); err != nil {
		t.Fatal(err)
	}
	runs, err := c.Runs(ctx, "ws")
	if len(runs) != 1 || err == nil || !strings.Contains(err.Error(), "ConfigMap f0-history-2 (format version 9") {
		t.Errorf("%d runs, error %v", len(runs), err)
	}
}
