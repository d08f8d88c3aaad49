// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// plainAttributes prevents git from omitting or rewriting files in an archive.
const plainAttributes = "* -export-ignore -export-subst -text -ident -filter -working-tree-encoding\n"

// ArchiveRepository writes all files of a git repository to a tar file and returns
// the commit. It uses the first revision that exists in the repository. Unlike an
// item source, the repository does not have to contain item files. The limits are
// [Limits.Files] and, for the total size, [Limits.ListBytes].
func ArchiveRepository(ctx context.Context, address string, revisions []string, to string, o Options) (commit string, err error) {
	ctx, cancel := context.WithTimeout(ctx, o.limits().Total)
	defer cancel()
	var first error
	for _, revision := range revisions {
		commit, err := archiveRevision(ctx, location{kind: kindGit, target: address, ref: revision}, to, o)
		if err == nil || !Is(err, hclspec.ItemNotFound) {
			return commit, err
		}
		if first == nil {
			first = err
		}
	}
	return "", first
}

func archiveRevision(ctx context.Context, l location, to string, o Options) (commit string, err error) {
	dir, err := os.MkdirTemp(filepath.Dir(to), "repository-")
	if err != nil {
		return "", failed(hclspec.MarketplaceUnreachable, err, "cannot create a temporary directory for the repository")
	}
	defer os.RemoveAll(dir)
	r := &repository{location: l, limits: o.limits(), program: gitProgram{environ: o.Environ, limit: 2 * o.limits().ListBytes}}
	c := &clone{repository: r, dir: dir}
	if err := c.fetch(ctx); err != nil {
		return "", err
	}
	if err := c.checkSize(ctx); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Join(dir, "info"), 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "info", "attributes"), []byte(plainAttributes), 0o644); err != nil {
		return "", err
	}
	abs, err := filepath.Abs(to)
	if err != nil {
		return "", err
	}
	if _, err := c.git(ctx, "archive", "--format=tar", "--output="+abs, c.commit); err != nil {
		return "", c.unreachable(ctx, err)
	}
	return c.commit, nil
}

func (c *clone) checkSize(ctx context.Context) error {
	out, err := c.git(ctx, "ls-tree", "-r", "-z", "-l", "--full-tree", c.commit)
	if err != nil {
		return c.unreachable(ctx, err)
	}
	files, total := 0, int64(0)
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if e, ok := parseTreeEntry(line); ok {
			files++
			total += e.size
		}
	}
	switch {
	case files > c.limits.Files:
		return failure(hclspec.ItemTooLarge, "the repository %s has more than %d files", c.location.target, c.limits.Files)
	case total > c.limits.ListBytes:
		return failure(hclspec.ItemTooLarge, "the total size of the files in the repository %s exceeds %s", c.location.target, quantity.Bytes(c.limits.ListBytes))
	}
	return nil
}
