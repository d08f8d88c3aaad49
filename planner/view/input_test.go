// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestThePlanShowsResourcesInUse(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		in   planner.InUse
		want string
	}{
		"with a price": {
			planner.InUse{Cluster: "gpu", VirtualCluster: "a", SKU: "v100", Usage: planner.Usage{Tasks: 1, GPUs: 8, CPUs: 24, MemoryMB: 32 << 10}, PricePerHour: 20.5},
			"cluster gpu, virtual cluster a, SKU v100: 1 task, 8 GPUs, 24 CPUs, 32 GiB, price 20.50 per hour",
		},
		"jobs with unknown resources": {planner.InUse{Cluster: "gpu", UnknownJobs: 2}, "cluster gpu: 2 jobs not counted: only hashes of the applied jobs are known"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := InUse(tt.in); got != tt.want {
				t.Errorf("InUse = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestInputNotesSumDownloadsAndListUnpinnedImages(t *testing.T) {
	t.Parallel()
	var many []planner.UsedImage
	for i := range 7 {
		many = append(many, planner.UsedImage{Reference: fmt.Sprint("image", i)})
	}
	tests := map[string]struct {
		in   planner.Inputs
		want []string
	}{
		"nothing starts": {},
		"sizes are added up": {
			planner.Inputs{Downloads: []planner.Download{{Size: 3_000_000}, {Size: 1_500_000}}},
			[]string{"Data to fetch: 2 downloads, 4.3 MiB."},
		},
		"an unknown size is counted": {
			planner.Inputs{Downloads: []planner.Download{{Size: 3_000_000}, {}}},
			[]string{"Data to fetch: 2 downloads, 2.9 MiB and 1 of unknown size."},
		},
		"no size is known": {planner.Inputs{Downloads: []planner.Download{{}}}, []string{"Data to fetch: 1 download of unknown size."}},
		"the cache contains a part of the data": {
			planner.Inputs{Downloads: []planner.Download{{}, {Size: 2_000_000, Cached: true}}},
			[]string{"Data to fetch: 1 download of unknown size; 1 download in the cache, 1.9 MiB."},
		},
		"the cache contains all data": {
			planner.Inputs{Downloads: []planner.Download{{Size: 2_000_000, Cached: true}}},
			[]string{"Data to fetch: none; 1 download in the cache, 1.9 MiB."},
		},
		"images with a digest": {
			planner.Inputs{Images: []planner.UsedImage{{Reference: "a@sha256:0", Pinned: true}}}, []string{"Images: 1; each has a digest."},
		},
		"an image on two clusters counts once, and control characters are escaped": {
			planner.Inputs{Images: []planner.UsedImage{{Cluster: "a", Reference: "x\x1b"}, {Cluster: "b", Reference: "x\x1b"}, {Reference: "y@sha256:0", Pinned: true}}},
			[]string{`Images: 2; without a digest: x\x1b.`},
		},
		"many images": {planner.Inputs{Images: many}, []string{"Images: 7; without a digest: image0, image1, image2, image3, image4, and 2 more."}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, inputNotes(tt.in)); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}
