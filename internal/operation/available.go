package operation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Sources ask for what a job is made from. Items of marketplaces are not asked for:
// the resolved job holds what they came to.
type Sources struct {
	// Digest asks a registry for the digest of an image.
	Digest func(ctx context.Context, image string) (string, error)
	// Gone reports whether an error of Digest is the answer that there is none.
	Gone func(error) bool
	// Sum reads a download and returns its sha256.
	Sum func(ctx context.Context, url string) (string, error)
}

// Missing asks for the images of a job, which the local cluster does not use. The
// error is an [Unrepeatable] when a registry answers that it does not have one: a
// registry that cannot be reached from here may be reached by the cluster.
func (s Sources) Missing(ctx context.Context, run string, job *resolve.Job) error {
	var problems []string
	for _, image := range images(job) {
		if _, err := s.Digest(ctx, image); err != nil && s.Gone(err) {
			problems = append(problems, fmt.Sprintf("image %s: %s", image, err))
		}
	}
	return unrepeatable(ctx, run, problems)
}

// Verify is Missing, and asks for downloads too. Whatever does not answer, or with
// something else than what is pinned, is a problem.
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

// images lists what the tasks of a job on Kubernetes run in.
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

// downloads lists files on servers with the hashes that the run had. Addresses that
// hold secrets or variables of the task can only be read by the task.
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
