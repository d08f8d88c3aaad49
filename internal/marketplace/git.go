// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// repository is a git repository at one revision. It fetches objects into a
// temporary bare repository, and reads them without a checkout. Therefore, git does
// not run hooks or filters, and does not follow symbolic links or submodules.
type repository struct {
	location location
	program  gitProgram
	limits   Limits
	// commit is the commit to which location.ref pointed when the repository was
	// read.
	commit string
}

// Address returns the address of the repository, including the commit if it is
// known.
func (r *repository) Address() string {
	s := "git::" + r.location.written
	if r.location.dir != "" {
		s += "//" + r.location.dir
	}
	if r.commit != "" {
		s += "?ref=" + r.commit
	}
	return s
}

// Items implements [Source].
func (r *repository) Items(ctx context.Context, _ Query) (*Listing, error) {
	ctx, cancel := context.WithTimeout(ctx, r.limits.Total)
	defer cancel()
	dir, err := os.MkdirTemp("", "openpai-git-")
	if err != nil {
		return nil, failed(hclspec.MarketplaceUnreachable, err, "cannot create a temporary directory for the repository")
	}
	defer os.RemoveAll(dir)
	clone := &clone{repository: r, dir: dir}
	if err := clone.fetch(ctx); err != nil {
		return nil, err
	}
	return clone.items(ctx)
}

// clone is a temporary bare repository that is used for one read.
type clone struct {
	*repository
	dir string
}

var commitID = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// fetch fetches one revision, or all branches and tags if the server does not
// serve individual commits.
func (c *clone) fetch(ctx context.Context) error {
	if _, err := c.git(ctx, "init", "--quiet", "--bare", "--template="); err != nil {
		return c.unreachable(ctx, err)
	}
	ctx, stop := c.watch(ctx)
	defer stop()
	ref := cmp.Or(c.location.ref, "HEAD")
	_, err := c.git(ctx, "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", c.location.target, ref)
	if err != nil && strings.Contains(err.Error(), "dumb http transport") { // the server does not support shallow fetches
		_, err = c.git(ctx, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--", c.location.target, ref)
	}
	wanted := "FETCH_HEAD"
	if err != nil && commitID.MatchString(ref) && context.Cause(ctx) == nil {
		_, err = c.git(ctx, "fetch", "--quiet", "--no-recurse-submodules", "--", c.location.target, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
		wanted = ref
	}
	if err != nil {
		return c.unreachable(ctx, err)
	}
	out, err := c.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", wanted+"^{commit}")
	if err != nil {
		return failure(hclspec.ItemNotFound, "the repository %s has no commit %s", c.location.target, ref)
	}
	c.commit = strings.TrimSpace(string(out))
	return nil
}

// watch returns a context that is canceled when the fetch exceeds the disk limit.
func (c *clone) watch(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if diskUse(c.dir) > c.limits.RepositoryBytes {
					cancel(failure(hclspec.ItemTooLarge, "the repository %s is larger than %s", c.location.target, quantity.Bytes(c.limits.RepositoryBytes)))
					return
				}
			}
		}
	}()
	return ctx, func() { close(done); cancel(nil) }
}

// unreachable converts a git error to an error for the user.
func (c *clone) unreachable(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); Is(cause, hclspec.ItemTooLarge) {
		return cause
	}
	if errors.Is(err, errTooLarge) {
		return failure(hclspec.ItemTooLarge, "the repository %s has too many files", c.location.target)
	}
	said := strings.ToLower(err.Error())
	for kind, signs := range gitSigns {
		for _, sign := range signs {
			if strings.Contains(said, sign) {
				return failed(kind, err, "cannot read the repository %s", c.location.target)
			}
		}
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return failed(hclspec.MarketplaceUnreachable, err, "cannot read the repository %s", c.location.target)
}

// gitSigns maps kinds of errors to substrings of git's messages in the C locale.
var gitSigns = map[*hclspec.Entry][]string{
	hclspec.MarketplaceNotPermitted: {"authentication failed", "could not read username", "permission denied", "error: 403", "error: 401", "terminal prompts disabled"},
	hclspec.ItemNotFound:            {"couldn't find remote ref"},
}

func (c *clone) items(ctx context.Context) (*Listing, error) {
	args := []string{"ls-tree", "-r", "-z", "-l", "--full-tree", c.commit}
	if c.location.dir != "" {
		args = append(args, "--", c.location.dir+"/")
	}
	out, err := c.git(ctx, args...)
	if err != nil {
		return nil, c.unreachable(ctx, err)
	}
	l := &Listing{}
	var wanted []treeEntry
	for _, line := range strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if e, ok := parseTreeEntry(line); ok && c.wants(e, l) {
			wanted = append(wanted, e)
		}
	}
	if len(wanted) > c.limits.Files {
		return nil, failure(hclspec.ItemTooLarge, "%s has more than %d item files", c.location.target, c.limits.Files)
	}
	if len(wanted) == 0 && len(l.Problems) == 0 && c.location.dir != "" && len(out) == 0 {
		return nil, failure(hclspec.ItemNotFound, "the repository %s has no directory %s", c.location.target, c.location.dir)
	}
	return l, c.read(ctx, wanted, l)
}

// treeEntry is a file in a commit.
type treeEntry struct {
	mode, object, name string
	size               int64
}

// parseTreeEntry parses "<mode> <type> <object> <size>\t<name>".
func parseTreeEntry(line string) (treeEntry, bool) {
	meta, name, ok := strings.Cut(line, "\t")
	fields := strings.Fields(meta)
	if !ok || len(fields) != 4 || fields[1] != "blob" {
		return treeEntry{}, false
	}
	size, err := strconv.ParseInt(fields[3], 10, 64)
	return treeEntry{fields[0], fields[2], name, size}, err == nil && size >= 0
}

const modeLink = "120000"

// wants reports whether to read a file. It records a problem for an item file
// that is too large or a link.
func (c *clone) wants(e treeEntry, l *Listing) bool {
	for _, part := range strings.Split(e.name, "/") {
		if strings.HasPrefix(part, ".") {
			return false
		}
	}
	switch {
	case e.mode == modeLink && (IsItemFile(e.name) || path.Ext(e.name) == ""):
		l.Problems = append(l.Problems, failure(UnsafeItem, "%s is a symbolic link; replace it with a file", e.name))
		return false
	case e.mode == modeLink || !IsItemFile(e.name):
		return false
	case e.size > c.limits.FileBytes:
		l.Problems = append(l.Problems, failure(hclspec.ItemTooLarge, "%s is larger than %s", e.name, quantity.Bytes(c.limits.FileBytes)))
		return false
	}
	return true
}

// read reads the files with a single git process and adds their items to l.
func (c *clone) read(ctx context.Context, files []treeEntry, l *Listing) error {
	var ask bytes.Buffer
	var total int64
	for _, e := range files {
		fmt.Fprintln(&ask, e.object)
		if total += e.size; total > c.limits.ListBytes {
			return failure(hclspec.ItemTooLarge, "the total size of the item files in %s exceeds %s", c.location.target, quantity.Bytes(c.limits.ListBytes))
		}
	}
	if len(files) == 0 {
		return nil
	}
	out, err := c.program.run(ctx, c.dir, &ask, "cat-file", "--batch")
	if err != nil {
		return c.unreachable(ctx, err)
	}
	for _, e := range files {
		content, rest, ok := cutObject(out, e)
		if !ok {
			return failure(hclspec.ItemNotParseable, "git did not return the content of %s", e.name)
		}
		l.AddFile(c.shown(e.name), c.Address()+"#"+e.name, content)
		out = rest
	}
	return nil
}

// cutObject parses one file of git cat-file --batch: "<object> blob <size>", the
// content, and a newline.
func cutObject(out []byte, e treeEntry) (content, rest []byte, ok bool) {
	header, rest, ok := bytes.Cut(out, []byte("\n"))
	if !ok || string(header) != fmt.Sprintf("%s blob %d", e.object, e.size) || int64(len(rest)) <= e.size {
		return nil, nil, false
	}
	return rest[:e.size:e.size], rest[e.size+1:], true
}

func (c *clone) shown(name string) string {
	return strings.TrimPrefix(name, c.location.dir+"/")
}

func (c *clone) git(ctx context.Context, args ...string) ([]byte, error) {
	return c.program.run(ctx, c.dir, nil, args...)
}
