// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"context"
	"os"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Commit returns the commit of the first existing revision in a git repository, or
// "". If a revision is a commit ID, Commit returns it and does not access the
// repository. Otherwise, it reads only the repository's list of references.
func Commit(ctx context.Context, address string, revisions []string, o Options) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, o.limits().Total)
	defer cancel()
	var patterns []string
	for _, revision := range revisions {
		if commitID.MatchString(revision) {
			return revision, nil
		}
		patterns = append(patterns, revision, revision+"^{}")
	}
	r := &repository{location: location{kind: kindGit, target: address}, limits: o.limits(), program: gitProgram{environ: o.Environ, limit: o.limits().ListBytes}}
	c := &clone{repository: r, dir: os.TempDir()}
	out, err := c.git(ctx, append([]string{"ls-remote", "-q", "--", address}, patterns...)...)
	if err != nil {
		return "", c.unreachable(ctx, err)
	}
	references := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if commit, name, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && commitID.MatchString(commit) {
			references[name] = commit
		}
	}
	for _, revision := range revisions {
		if commit := resolved(references, revision); commit != "" {
			return commit, nil
		}
	}
	return "", nil
}

// resolved expands a short name according to the rules of git fetch. git ls-remote
// lists the commit of an annotated tag under the tag name with the suffix ^{}.
func resolved(references map[string]string, revision string) string {
	for _, prefix := range []string{"", "refs/", "refs/tags/", "refs/heads/"} {
		name := prefix + revision
		if commit := references[name+"^{}"]; commit != "" {
			return commit
		}
		if commit := references[name]; commit != "" {
			return commit
		}
	}
	return ""
}

// AvailableCommit returns the commit of a tag in a git repository. If ref is a
// commit that the server still has, AvailableCommit returns ref. To check this, it
// downloads the commit's files.
func AvailableCommit(ctx context.Context, address, ref string, o Options) (string, error) {
	if !commitID.MatchString(ref) {
		commit, err := Commit(ctx, address, []string{"refs/tags/" + ref}, o)
		if err == nil && commit == "" {
			err = failure(hclspec.ItemNotFound, "the repository %s has no tag %s", address, ref)
		}
		return commit, err
	}
	ctx, cancel := context.WithTimeout(ctx, o.limits().Total)
	defer cancel()
	dir, err := os.MkdirTemp("", "openpai-git-")
	if err != nil {
		return "", failed(hclspec.MarketplaceUnreachable, err, "cannot create a temporary directory for the repository")
	}
	defer os.RemoveAll(dir)
	r := &repository{location: location{kind: kindGit, target: address, ref: ref}, limits: o.limits(), program: gitProgram{environ: o.Environ, limit: o.limits().ListBytes}}
	c := &clone{repository: r, dir: dir}
	if err := c.fetch(ctx); err != nil {
		return "", err
	}
	return c.commit, nil
}
