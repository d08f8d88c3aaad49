// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/internal/locator"
	"github.com/openpai/terraform-provider-openpai/internal/template"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// input is a file that a job fetches.
type input struct {
	url string
	// file is a path on the machine of the task, or "" for a download.
	file string
	// repository is the URL of a git repository. ref is a tag or commit.
	repository, ref string
	// want is the SHA-256 or the commit of the run, or "" if unknown. declared
	// is set if the job declares the hash. The task then verifies the hash.
	want     string
	declared bool
	// unreadable is the reason why this program cannot compare the input, or "".
	unreadable string
}

// inputs lists distinct files and git repositories. dir is the workspace directory.
func inputs(r RecordedRun, job *resolve.Job, dir string) []input {
	var all []input
	for _, role := range job.TaskRoles {
		for _, step := range role.Steps {
			for _, f := range step.Fetch {
				in, ok := inputOf(job, role, f, dir)
				if !ok {
					continue
				}
				for _, d := range r.Data {
					if d.Prerequisite == step.Address && d.URL == f.URL && !in.declared {
						in.want = cmp.Or(d.Commit, d.SHA256)
					}
				}
				if !slices.Contains(all, in) {
					all = append(all, in)
				}
			}
		}
	}
	return all
}

func inputOf(job *resolve.Job, role *resolve.TaskRole, f *resolve.Fetch, dir string) (in input, ok bool) {
	in = input{url: f.URL, want: f.SHA256, declared: f.SHA256 != ""}
	if f.Auth != "" || len(template.Tags(f.URL)) > 0 {
		in.unreadable = "only the task can read it"
		return in, true
	}
	at, err := locator.ParseIn(dir, f.URL)
	switch {
	case err != nil:
		return in, false // for example, a path outside the workspace directory; the plan reports the error
	case at.Kind == locator.Git:
		in.repository, in.ref = at.URL.String(), at.Ref
		if at.IsCommit() {
			in.want, in.declared = at.Ref, true
		}
		return in, true
	case at.Kind == locator.HTTP:
		return in, true
	case job.Cluster != resolve.LocalCluster, local.OnStorage(role, dir, at.Path):
		in.unreadable = "it is on a storage that tasks can write to"
	}
	in.file = at.Path
	return in, true
}

// compare describes how an input differs from the content in the run, or returns "".
// err is set if the input cannot be read.
func (s Sources) compare(ctx context.Context, in input) (problem string, err error) {
	sum := ""
	switch {
	case in.repository != "":
		return s.compareCommit(ctx, in)
	case in.file != "":
		sum, err = fileSum(ctx, in.file)
	default:
		sum, err = s.Sum(ctx, in.url)
	}
	switch {
	case err != nil:
		return fmt.Sprintf("%s: %s", in, err), err
	case in.want != "" && !strings.EqualFold(sum, in.want):
		return fmt.Sprintf("%s: its sha256 is now %s, but the run used %s", in, sum, in.want), nil
	}
	return "", nil
}

// compareCommit describes why the commit of the run is not available, or returns "".
// The commit may differ from the current commit of the tag, because a repetition
// fetches the recorded commit.
func (s Sources) compareCommit(ctx context.Context, in input) (problem string, err error) {
	now, err := s.Commit(ctx, in.repository, in.ref)
	switch {
	case err == nil && (in.want == "" || in.want == now):
		return "", nil
	case err == nil || in.want != "" && !in.declared && s.Gone(err):
		_, err = s.Commit(ctx, in.repository, in.want)
	}
	if err != nil {
		return fmt.Sprintf("%s: %s", in, err), err
	}
	return "", nil
}

// String returns the kind and the URL of an input.
func (in input) String() string {
	switch {
	case in.repository != "":
		return "repository " + locator.Show(in.url)
	case in.file != "":
		return "file " + locator.Show(in.url)
	}
	return "download " + locator.Show(in.url)
}

// notCompared returns the message that an input was not compared with the recorded
// run. It returns nil if no comparison is necessary: without a recorded hash, with
// a declared hash, or for a recorded commit.
func (in input) notCompared(reason string) []string {
	if in.declared || in.want == "" || locator.IsCommit(in.want) && strings.HasPrefix(in.url, "git::") {
		return nil
	}
	return []string{fmt.Sprintf("%s was not compared with the run: %s", in, reason)}
}

// fileSum returns the SHA-256 of a regular file. Errors do not contain the path.
func fileSum(ctx context.Context, path string) (string, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return "", errors.New("it is not a regular file") // opening a pipe may block forever
	}
	f, err := os.Open(path)
	var at *fs.PathError
	if errors.As(err, &at) {
		return "", at.Err
	}
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = f.Close() })
	defer stop()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
