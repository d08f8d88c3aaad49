// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Sources checks whether the inputs of a job are still available. It does not check
// marketplace items, because the resolved job contains their content.
type Sources struct {
	// Digest requests the digest of an image from its registry.
	Digest func(ctx context.Context, image string) (string, error)
	// Gone reports whether an error of Digest means that the image does not exist.
	Gone func(error) bool
	// Sum downloads a file and returns its SHA-256.
	Sum func(ctx context.Context, url string) (string, error)
}

// Missing checks whether the images of a job exist; the local cluster uses none. It
// fails with [Unrepeatable] if a registry reports that an image does not exist. An
// unreachable registry is not an error, because the cluster may reach it.
func (s Sources) Missing(ctx context.Context, run string, job *resolve.Job) error {
	var problems []string
	for _, image := range images(job) {
		if _, err := s.Digest(ctx, image); err != nil && s.Gone(err) {
			problems = append(problems, fmt.Sprintf("image %s: %s", image, err))
		}
	}
	return unrepeatable(ctx, run, problems)
}

// Verify checks the images like Missing, and also the downloads. An image or download
// that is not available, or whose content differs from the pinned one, is an error.
func (s Sources) Verify(ctx context.Context, r RecordedRun, job *resolve.Job) error {
	var problems []string
	for _, image := range images(job) {
		if _, err := s.Digest(ctx, image); err != nil {
			problems = append(problems, fmt.Sprintf("image %s: %s", image, err))
		}
	}
	for url, want := range downloads(r, job) {
		switch sum, err := s.Sum(ctx, url); {
		case err != nil:
			problems = append(problems, fmt.Sprintf("download %s: %s", url, err))
		case want != "" && !strings.EqualFold(sum, want):
			problems = append(problems, fmt.Sprintf("download %s: its sha256 is %s now, and the run had %s", url, sum, want))
		}
	}
	slices.Sort(problems)
	return unrepeatable(ctx, r.Reference(), problems)
}

func unrepeatable(ctx context.Context, run string, problems []string) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case len(problems) > 0:
		return &Unrepeatable{run, problems}
	}
	return nil
}

// images lists the images of the tasks of a job on Kubernetes.
func images(job *resolve.Job) []string {
	var all []string
	if job.Cluster == resolve.LocalCluster {
		return nil
	}
	for _, role := range job.TaskRoles {
		if !slices.Contains(all, role.Image.URI) {
			all = append(all, role.Image.URI)
		}
	}
	return all
}

// downloads returns the hashes of HTTP downloads in the run, by URL. It skips URLs
// with secrets or task variables, which only the task can download.
func downloads(r RecordedRun, job *resolve.Job) map[string]string {
	all := map[string]string{}
	for _, role := range job.TaskRoles {
		for _, step := range role.Steps {
			for _, f := range step.Fetch {
				if strings.HasPrefix(f.URL, "http") && f.Auth == "" && !strings.Contains(f.URL, "<%") {
					all[f.URL] = f.SHA256
				}
			}
		}
	}
	for _, d := range r.Data {
		if want, asked := all[d.URL]; asked && want == "" {
			all[d.URL] = d.SHA256
		}
	}
	return all
}
