// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"fmt"
	"slices"

	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Sources checks whether the inputs of a job are still available. It does not check
// marketplace items, because the resolved job contains their content.
type Sources struct {
	// Digest requests the digest of an image from its registry.
	Digest func(ctx context.Context, image string) (string, error)
	// Gone reports whether an error from Digest, Sum or Commit means that the data
	// does not exist.
	Gone func(error) bool
	// Sum downloads a file and returns its SHA-256.
	Sum func(ctx context.Context, url string) (string, error)
	// Commit returns the commit to which ref refers in a git repository. ref is a tag,
	// or a commit that the repository must have.
	Commit func(ctx context.Context, repository, ref string) (string, error)
	// Directory is the workspace directory.
	Directory string
}

// Missing checks inputs before the job is created, because tasks would report a
// missing input too late. The inputs are images (except on the local cluster), files
// on this machine, and some downloads. Missing checks a download only if the record,
// but not the declaration, contains a hash or commit. It fails with [Unrepeatable] if
// an input does not exist or has different content. For a job on Kubernetes, an
// unreachable registry or server is not an error. The cluster may be able to reach
// the server. unchecked describes the data that could not be compared.
func (s Sources) Missing(ctx context.Context, r RecordedRun, job *resolve.Job) (unchecked []string, err error) {
	var problems []string
	for _, image := range images(job) {
		if _, err := s.Digest(ctx, image); err != nil && s.Gone(err) {
			problems = append(problems, fmt.Sprintf("image %s: %s", image, err))
		}
	}
	for _, in := range inputs(r, job, s.Directory) {
		if in.unreadable != "" {
			unchecked = append(unchecked, in.notCompared(in.unreadable)...)
			continue
		}
		if in.file == "" && (in.declared || in.want == "") {
			continue // the task verifies the hash, or the hash is unknown
		}
		problem, err := s.compare(ctx, in)
		switch {
		case err != nil && in.file == "" && job.Cluster != resolve.LocalCluster && !s.Gone(err):
			unchecked = append(unchecked, in.notCompared(err.Error())...)
		case problem != "":
			problems = append(problems, problem)
		}
	}
	return unchecked, unrepeatable(ctx, r.Reference(), problems)
}

// Verify checks all images and data of a run. It fails if an image or a file is not
// available or has changed since the run. If offline is set, it does not contact
// any registry or server. unchecked describes the data that could not be compared.
func (s Sources) Verify(ctx context.Context, r RecordedRun, job *resolve.Job, offline bool) (unchecked []string, err error) {
	var problems []string
	for _, image := range images(job) {
		if offline {
			break
		}
		if _, err := s.Digest(ctx, image); err != nil {
			problems = append(problems, fmt.Sprintf("image %s: %s", image, err))
		}
	}
	for _, in := range inputs(r, job, s.Directory) {
		switch {
		case in.unreadable != "":
			unchecked = append(unchecked, in.notCompared(in.unreadable)...)
		case in.file != "" || !offline:
			if problem, _ := s.compare(ctx, in); problem != "" {
				problems = append(problems, problem)
			}
		}
	}
	slices.Sort(problems)
	return unchecked, unrepeatable(ctx, r.Reference(), problems)
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

// images lists the images that tasks use on Kubernetes.
func images(job *resolve.Job) []string {
	var all []string
	if job.Cluster == resolve.LocalCluster {
		return nil
	}
	for _, role := range job.TaskRoles {
		if image := role.Image.Pinned(); !slices.Contains(all, image) {
			all = append(all, image)
		}
	}
	return all
}
