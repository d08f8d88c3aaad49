// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// drifted is a cluster that reports the same drift for each of its jobs.
type drifted struct {
	cluster.Cluster
	drift []planner.Drift
}

func (d drifted) Read(ctx context.Context, workspace string, frameworks []string) (*planner.Snapshot, error) {
	s, err := d.Cluster.Read(ctx, workspace, frameworks)
	if err == nil {
		for _, job := range s.Jobs {
			job.Drift = d.drift
		}
	}
	return s, err
}

// inDrift makes the cluster report the given drift for every job.
func (i *instance) inDrift(drift []planner.Drift) *instance {
	conn := i.tf.server.(*server).provider.conn
	conn.operation = newConnection(conn.settings, func(*hclspec.Cluster) (cluster.Cluster, error) {
		opened, err := local.Open(conn.Directory, local.Options{})
		return drifted{opened, drift}, err
	}, nil).operation
	return i
}

// olderPrivate returns a private state in an earlier format, in which the
// outputs were sentences. It inserts the identifiers of the current run.
func olderPrivate(t *testing.T, private []byte) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "states", "openpai_job.private.json"))
	if err != nil {
		t.Fatal(err)
	}
	older := map[string]any{}
	if err := json.Unmarshal(text, &older); err != nil {
		t.Fatal(err)
	}
	now := decodeJobPrivate(private)
	for key, value := range map[string]string{"uid": now.UID, "applied": now.Applied, "seen": now.Seen, "cluster": now.Cluster} {
		older[key] = value
	}
	p := decodePrivate(private)
	if p[jobPrivateKey], err = json.Marshal(older); err != nil {
		t.Fatal(err)
	}
	if text, err = json.Marshal(p); err != nil {
		t.Fatal(err)
	}
	return text
}

func TestAnOlderPrivateStateOfADriftedJobIsNoChange(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	created, config := running(t, dir)
	drift := []planner.Drift{
		{Object: "Service 83ab", Path: "spec.ports", Kind: planner.DriftChanged, Manager: "kubectl"},
		{Object: "ConfigMap 83ab-run", Kind: planner.DriftMissing},
	}
	i := created.afresh(dir).inDrift(drift)
	if text := i.refresh(); text != "" {
		t.Fatal(text)
	}
	state, private := i.state, i.private
	wanted := i.plan(config)

	again := i.afresh(dir).inDrift(drift)
	again.private = olderPrivate(t, private)
	if text := again.refresh(); text != "" {
		t.Fatal(text)
	}
	if d := diff(state, again.state); d != "" {
		t.Errorf("the state changed: %s", d)
	}
	if diff := cmp.Diff(decodeJobPrivate(private), decodeJobPrivate(again.private)); diff != "" {
		t.Errorf("private state (-want +got):\n%s", diff)
	}
	if got := again.plan(config); got.action(again.state) != wanted.action(state) || diff(wanted.state, got.state) != "" {
		t.Errorf("planned %s, want %s\n%s", got.action(again.state), wanted.action(state), diff(wanted.state, got.state))
	}
}

func TestAnOlderPrivateStateIsReadAsWhatItMeans(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]location{
		`{"place":"the local cluster"}`:            "local",
		`{"place":"the namespace \"vision\""}`:     "namespace:vision",
		`{"place":"local"}`:                        "local",
		`{"place":"namespace:vision"}`:             "namespace:vision",
		`{"name":"mnist","framework":"cb67373d1"}`: "",
	} {
		var m jobPrivate
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		if m.Location != want {
			t.Errorf("%s: %q, want %q", text, m.Location, want)
		}
	}
}
