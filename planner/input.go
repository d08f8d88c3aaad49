// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"cmp"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Inputs lists the data and images that jobs need when apply starts them.
type Inputs struct {
	Downloads []Download
	Images    []UsedImage
}

// Download is data that tasks fetch on a cluster.
type Download struct {
	Cluster string `json:"cluster"`
	URL     string `json:"url"`
	SHA256  string `json:"sha256,omitempty"`
	// Size is the size in bytes; 0 if unknown. The sources, in order of
	// precedence, are: the cached copy or the local file, the lock file, the
	// declaration, and the latest run that fetched the data.
	Size   int64 `json:"size_bytes,omitempty" doc:"Size in bytes; absent if unknown. The sources, in order of precedence, are: the cached copy or the local file, the lock file, the declaration, and the latest run that fetched the data"`
	Cached bool  `json:"cached" doc:"Whether the cache of the cluster contains the data, so that no download is necessary"`
	Tasks  int   `json:"tasks" doc:"Number of tasks that need the data"`
}

// UsedImage is an image that tasks use on a cluster.
type UsedImage struct {
	Cluster   string `json:"cluster"`
	Reference string `json:"reference"`
	Pinned    bool   `json:"pinned" doc:"Whether the reference has a digest and therefore always refers to the same image"`
	Tasks     int    `json:"tasks" doc:"Number of tasks that use the image"`
}

// Downloads returns the size in bytes (0 if unknown), and whether the cluster has
// cached the data.
type Downloads func(cluster string, f *resolve.Fetch) (size int64, cached bool)

// inputs returns the inputs of jobs that apply starts, each once per cluster.
func (p *planning) inputs() Inputs {
	downloads, images := map[Download]*Download{}, map[UsedImage]*UsedImage{}
	for _, c := range p.plan.Changes {
		if c.Job == nil || c.Action != Create && c.Action != Replace {
			continue
		}
		for _, role := range c.Job.TaskRoles {
			key := UsedImage{Cluster: c.Job.Cluster, Reference: role.Image.Pinned(), Pinned: strings.Contains(role.Image.Pinned(), "@")}
			if images[key] == nil {
				image := key
				images[key] = &image
			}
			images[key].Tasks += role.Instances
			for _, f := range fetchesOf(role) {
				p.download(downloads, c.Job.Cluster, f).Tasks += role.Instances
			}
		}
	}
	return Inputs{Downloads: sortedDownloads(downloads), Images: sortedImages(images)}
}

// fetchesOf returns the fetches of a task role without duplicates.
func fetchesOf(role *resolve.TaskRole) []*resolve.Fetch {
	var all []*resolve.Fetch
	for _, step := range role.Steps {
		for _, f := range step.Fetch {
			if !slices.ContainsFunc(all, func(o *resolve.Fetch) bool { return o.URL == f.URL && o.SHA256 == f.SHA256 }) {
				all = append(all, f)
			}
		}
	}
	return all
}

func (p *planning) download(all map[Download]*Download, cluster string, f *resolve.Fetch) *Download {
	key := Download{Cluster: cluster, URL: f.URL, SHA256: f.SHA256}
	if all[key] == nil {
		d := key
		if p.o.Downloads != nil {
			d.Size, d.Cached = p.o.Downloads(cluster, f)
		}
		if d.Size == 0 {
			d.Size = int64(f.SizeMB) << 20
		}
		all[key] = &d
	}
	return all[key]
}

func sortedDownloads(all map[Download]*Download) []Download {
	sorted := make([]Download, 0, len(all))
	for _, d := range all {
		sorted = append(sorted, *d)
	}
	slices.SortFunc(sorted, func(a, b Download) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.URL, b.URL), cmp.Compare(a.SHA256, b.SHA256))
	})
	return sorted
}

func sortedImages(all map[UsedImage]*UsedImage) []UsedImage {
	sorted := make([]UsedImage, 0, len(all))
	for _, i := range all {
		sorted = append(sorted, *i)
	}
	slices.SortFunc(sorted, func(a, b UsedImage) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Reference, b.Reference))
	})
	return sorted
}
