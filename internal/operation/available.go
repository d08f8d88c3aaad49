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
	// Gone reports whether an error from Digest, Sum or Commit means that the image,
	// the download or the commit does not exist.
	Gone func(error) bool
	// Sum downloads a file and returns its SHA-256.
	Sum func(ctx context.Context, url string) (string, error)
	// Commit returns the commit to which ref refers in a git repository. ref is a tag,
	// or a commit that the repository must have.
	Commit func(ctx context.Context, repository, ref string) (string, error)
	// Directory is the workspace directory.
	Directory string
}

// Missing checks inputs before the job is created, because the tasks would report a
// missing input too late. These inputs are the images (except on the local cluster),
// the files on this machine, and the downloads whose hash or commit is only in the
// record. It fails with [Unrepeatable] if one of these inputs does not exist or has
// different content. For a job on Kubernetes, an unreachable registry or server is not
// an error, because the cluster may reach it. unchecked describes the data that could
// not be compared.
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
// available, or differs from the content that the run used. If offline is set, it
// does not contact any registry or server. unchecked describes the data that could
// not be compared.
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

// images lists the images that a job's tasks use on Kubernetes.
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
