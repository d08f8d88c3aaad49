// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// unsafe is a cluster whose namespace rejects all jobs.
type unsafe struct{ cluster.Cluster }

func (unsafe) Read(context.Context, string, []string) (*planner.Snapshot, error) {
	return &planner.Snapshot{}, nil
}

func (unsafe) Find(context.Context, string) (*planner.LiveJob, error) { return nil, nil }

func (unsafe) Guard(context.Context, hclspec.SourceMap) (hcl.Diagnostics, error) {
	return hcl.Diagnostics{hclspec.LivingOpenPAI.At(hcl.Range{}, "The namespace is not safe.")}, nil
}

// TestWhatTheCommandLineRefusesIsRefused covers rules of package
// internal/operation.
func TestWhatTheCommandLineRefusesIsRefused(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		start  func(t *testing.T) *terraform
		config func(t *testing.T, tf *terraform) tree
		want   *hclspec.Entry
	}{
		"a namespace in which OpenPAI deletes jobs": {
			func(t *testing.T) *terraform {
				p := newProvider("test")
				p.open = func(*hclspec.Cluster) (cluster.Cluster, error) { return unsafe{}, nil }
				return serve(t, p, tree{"local": tree{"directory": t.TempDir(), "user": "alice"}})
			},
			func(*testing.T, *terraform) tree { return job([]string{"true"}) },
			hclspec.LivingOpenPAI,
		},
		"a fetch of a file that does not exist": {
			func(t *testing.T) *terraform { return start(t, t.TempDir()) },
			func(t *testing.T, tf *terraform) tree {
				data := tree{"type": "data", "name": "mnist", "fetch": []any{tree{"url": "mnist.zip", "to": "/tmp/mnist"}}}
				return worker(job([]string{"true"}), tree{"prerequisites": []any{tree{"use": define(t, tf, data)}}})
			},
			hclspec.UnreadableFile,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tf := tt.start(t)
			i := tf.resource("openpai_job")
			if p := i.plan(tt.config(t, tf)); !strings.Contains(p.diagnostics, "error: ") || !strings.Contains(p.diagnostics, tt.want.Summary+": ") {
				t.Errorf("diagnostics of the plan:\n%s", p.diagnostics)
			}
		})
	}
}
