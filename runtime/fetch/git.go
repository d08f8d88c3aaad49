// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/locator"
)

// gitScript creates a tar archive of a commit. The script ignores repository
// attributes that would omit or rewrite files. If the server rejects requests
// for single commits, the script fetches all references.
const gitScript = `command -v git >/dev/null || { echo 'there is no git program' >&2; exit 127; }
git init -q --bare
mkdir -p "$GIT_DIR/info"
echo '* -export-ignore -export-subst -text -ident -filter' > "$GIT_DIR/info/attributes"
if ! git fetch -q --no-tags --depth 1 source "$FETCH_WANTED"; then
  [ "$FETCH_WANTED" = "$FETCH_COMMIT" ]
  git fetch -q source '+refs/*:refs/fetched/*'
fi
commit=$(git rev-parse --verify -q "${FETCH_COMMIT:-FETCH_HEAD}^{commit}")
printf %s "$commit" > "$FETCH_DIR/commit"
git archive --format=tar -o "$FETCH_DIR/tree.tar" "$commit:$FETCH_SUBDIR"
`

// gitArchive returns a tree as a tar archive. Commits are cached. Tags are
// fetched each time, because tags can move.
func (j *job) gitArchive(ctx context.Context) (*content, error) {
	if j.Git == nil {
		return nil, errors.New("git URLs are not supported here; use a path or an http or https URL")
	}
	if j.want.SHA256 != "" {
		return nil, errors.New("remove the sha256; the ref of a git URL already pins the content")
	}
	g := &gitTree{job: j, key: cacheKey(fmt.Sprint("git::", j.address.URL, "//", j.address.Subdir, "?ref=", j.address.Ref))}
	if j.cache == "" || !j.address.IsCommit() {
		return g.make(ctx, j.staging())
	}
	var err error
	if g.store, err = openStore(j.cache, j.CacheBytes, j.Now); err != nil {
		return nil, err
	}
	return g.cached(ctx)
}

type gitTree struct {
	*job
	key   string
	store *store
}

// cached creates the archive if the cache does not contain it. Other processes
// that need the archive wait.
func (g *gitTree) cached(ctx context.Context) (*content, error) {
	var part *partial
	var err error
	g.waitForOther(func(waiting func()) { part, err = g.store.openPartial(ctx, g.key, waiting) })
	if err != nil {
		return nil, err
	}
	defer part.discard()
	if seen := g.store.lookup(g.key); seen != nil {
		if c, err := g.store.open(seen.Sum); c != nil || err != nil {
			return withCommit(c, seen.Commit), err
		}
	}
	made, err := g.make(ctx, filepath.Dir(g.store.partial(g.key)))
	if err != nil {
		return nil, err
	}
	defer made.close()
	if err := part.restart(); err != nil {
		return nil, err
	}
	if err := part.fill(contextReader{ctx, made.file}, make([]byte, copySize), func(int64, int64) {}); err != nil {
		return nil, err
	}
	if err := g.store.record(g.key, origin{Sum: part.sum(), Commit: made.commit}); err != nil {
		return nil, err
	}
	c, err := g.store.publish(part)
	return withCommit(c, made.commit), err
}

func withCommit(c *content, commit string) *content {
	if c != nil {
		c.commit = commit
	}
	return c
}

// make runs git in a temporary directory and retries failures.
func (g *gitTree) make(ctx context.Context, beside string) (*content, error) {
	dir, err := os.MkdirTemp(beside, stagingPattern)
	if err != nil {
		return nil, err
	}
	remove := func() { _ = os.RemoveAll(dir) }
	err = g.withRetry(ctx, func() error {
		if err := os.RemoveAll(filepath.Join(dir, "repository")); err != nil {
			return permanent(err)
		}
		err := g.Git(ctx, gitScript, g.environment(dir))
		if FailureOf(err).Code() == exitspec.CodeSourceRefused {
			return permanent(err)
		}
		return err
	}, func() int64 { return 0 })
	if err != nil {
		remove()
		return nil, err
	}
	file, err := os.Open(filepath.Join(dir, "tree.tar"))
	if err != nil {
		remove()
		return nil, err
	}
	return &content{file: file, verified: true, commit: commitIn(dir), done: remove}, nil
}

// commitIn returns the commit that the script wrote, or "" if the file contains
// no commit.
func commitIn(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, "commit"))
	if err != nil || !locator.IsCommit(string(text)) {
		return ""
	}
	return string(text)
}

// environment returns the variables that pass the URL and credentials to git.
// These values must not be arguments, because process lists show arguments.
func (g *gitTree) environment(dir string) map[string]string {
	a := g.address
	env := map[string]string{
		"FETCH_DIR": dir, "FETCH_SUBDIR": a.Subdir, "FETCH_WANTED": "refs/tags/" + a.Ref, "FETCH_COMMIT": "",
		"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": "https:http:ssh:file", "GIT_DIR": filepath.Join(dir, "repository"),
	}
	if a.IsCommit() {
		env["FETCH_WANTED"], env["FETCH_COMMIT"] = a.Ref, a.Ref
	}
	settings := [][2]string{
		{"remote.source.url", a.URL.String()},
		{"http.lowSpeedLimit", "1"}, {"http.lowSpeedTime", strconv.Itoa(max(1, int(g.Silence.Seconds())))},
	}
	if g.want.Auth != "" {
		// Without this setting, git would also send the header to a redirect's
		// target host.
		settings = append(settings, [2]string{"http.followRedirects", "false"},
			[2]string{"http." + originOf(a.URL) + "/.extraHeader", "Authorization: " + g.want.Auth})
	}
	env["GIT_CONFIG_COUNT"] = strconv.Itoa(len(settings))
	for i, s := range settings {
		env[fmt.Sprint("GIT_CONFIG_KEY_", i)], env[fmt.Sprint("GIT_CONFIG_VALUE_", i)] = s[0], s[1]
	}
	return env
}
