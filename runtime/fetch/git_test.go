// SPDX-License-Identifier: MPL-2.0

//go:build unix

package fetch

import (
	"context"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// withGit returns a client that can run git with an empty configuration.
func withGit(t *testing.T, cache string) *client {
	t.Helper()
	f, home := newFetcher(cache), t.TempDir()
	f.Git = func(ctx context.Context, script string, environ map[string]string) error {
		cmd := exec.CommandContext(ctx, "sh", "-eu", "-c", script)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1"}
		for name, value := range environ {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			return &GitError{Reason: "failed", Lines: strings.Split(strings.TrimSpace(string(out)), "\n")}
		}
		return nil
	}
	return f
}

// repository creates a repository with the tag v1 and a later commit on the
// branch main.
func repository(t *testing.T) (dir string, commits []string) {
	t.Helper()
	dir = t.TempDir()
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	run("init", "-q", "-b", "main")
	write(t, filepath.Join(dir, "data", "set.csv"), []byte("1\n"))
	write(t, filepath.Join(dir, "data", ".gitattributes"), []byte("hidden export-ignore\nset.csv export-subst text eol=crlf\n"))
	write(t, filepath.Join(dir, "data", "hidden"), []byte("$Format:%H$\n"))
	run("add", "-A")
	run("commit", "-q", "-m", "one")
	run("tag", "v1")
	first := run("rev-parse", "HEAD")
	write(t, filepath.Join(dir, "data", "set.csv"), []byte("2\n"))
	run("commit", "-q", "-a", "-m", "two")
	return dir, []string{first, run("rev-parse", "HEAD")}
}

func TestARepositoryIsFetchedAtItsRevision(t *testing.T) {
	t.Parallel()
	dir, commits := repository(t)
	for name, c := range map[string]struct {
		url  string // after git::file://dir
		file string
		want string
		why  string
	}{
		"a tag":                           {"?ref=v1", "data/set.csv", "1\n", ""},
		"a commit":                        {"?ref=" + commits[1], "data/set.csv", "2\n", ""},
		"an older commit":                 {"?ref=" + commits[0], "data/set.csv", "1\n", ""},
		"what export would omit":          {"?ref=v1", "data/hidden", "$Format:%H$\n", ""},
		"a directory":                     {"//data?ref=v1", "set.csv", "1\n", ""},
		"a directory that does not exist": {"//other?ref=v1", "", "", "other"},
		"a branch is not a tag":           {"?ref=main", "", "", "couldn't find remote ref refs/tags/main"},
		"a commit that does not exist":    {"?ref=" + strings.Repeat("a", 40), "", "", "git failed: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			to := filepath.Join(t.TempDir(), "place", "to")
			err := withGit(t, t.TempDir()).Fetch(t.Context(), runspec.Fetch{URL: "git::file://" + dir + c.url, To: to})
			if c.why == "" && err != nil || c.why != "" && (err == nil || !strings.Contains(err.Error(), c.why)) {
				t.Errorf("error %v", err)
			}
			if c.why != "" {
				if remaining := fetched(t, filepath.Dir(to)); len(remaining) > 0 {
					t.Errorf("left %v", remaining)
				}
				return
			}
			if got, err := os.ReadFile(filepath.Join(to, c.file)); err != nil || string(got) != c.want {
				t.Errorf("content %q, %v", got, err)
			}
		})
	}
}

func TestACommitComesFromTheCacheAndATagFromTheRepository(t *testing.T) {
	t.Parallel()
	dir, commits := repository(t)
	f, to := withGit(t, t.TempDir()), t.TempDir()
	for _, ref := range []string{commits[0], "v1"} {
		if err := f.Fetch(t.Context(), runspec.Fetch{URL: "git::file://" + dir + "?ref=" + ref, To: filepath.Join(to, ref)}); err != nil {
			t.Error(err)
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := f.Fetch(t.Context(), runspec.Fetch{URL: "git::file://" + dir + "?ref=" + commits[0], To: filepath.Join(to, "again")}); err != nil {
		t.Error(err)
	}
	if err := f.Fetch(t.Context(), runspec.Fetch{URL: "git::file://" + dir + "?ref=v1", To: filepath.Join(to, "v1 again")}); err == nil {
		t.Error("a tag was read from the cache")
	}
	if remaining := fetched(t, filepath.Join(f.Cache, partialDir)); len(remaining) > 0 {
		t.Errorf("left %v", remaining)
	}
}

func TestGitSendsCredentialsOnlyToItsHost(t *testing.T) {
	t.Parallel()
	dir, _ := repository(t)
	out, err := exec.CommandContext(t.Context(), "git", "--exec-path").Output()
	if err != nil {
		t.Fatal(err)
	}
	backend := &cgi.Handler{
		Path: filepath.Join(strings.TrimSpace(string(out)), "git-http-backend"),
		Env:  []string{"GIT_PROJECT_ROOT=" + filepath.Dir(dir), "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"},
	}
	var mu sync.Mutex
	refused := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer geheim" {
			mu.Lock()
			refused++
			mu.Unlock()
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		backend.ServeHTTP(w, r)
	}))
	defer s.Close()
	request := runspec.Fetch{URL: "git::" + s.URL + "/" + filepath.Base(dir) + "?ref=v1", To: filepath.Join(t.TempDir(), "to"), Auth: "Bearer geheim"}
	if err := withGit(t, "").Fetch(t.Context(), request); err != nil || refused > 0 {
		t.Errorf("error %v, %d refused", err, refused)
	}
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the other host received a request with the headers %v", r.Header)
	}))
	defer other.Close()
	away := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusFound))
	defer away.Close()
	request.URL, request.To = "git::"+away.URL+"/r?ref=v1", filepath.Join(t.TempDir(), "to")
	if err := withGit(t, "").Fetch(t.Context(), request); err == nil {
		t.Error("a redirect was followed")
	}
}

// TestGitReportsTheCommit covers a tag, a commit, a cached commit, and a recorded
// commit whose tag has moved.
func TestGitReportsTheCommit(t *testing.T) {
	t.Parallel()
	dir, commits := repository(t)
	f := withGit(t, t.TempDir())
	var got []Result
	f.Fetched = func(r Result) { got = append(got, r) }
	for _, want := range []struct{ url, record, commit, content string }{
		{"?ref=v1", "", commits[0], "1\n"},
		{"//data?ref=" + commits[1], "", commits[1], "2\n"},
		{"//data?ref=" + commits[1], "", commits[1], "2\n"}, // from the cache
		{"?ref=v1", commits[1], commits[1], "2\n"},
		{"?ref=v1", commits[1], commits[1], "2\n"},
	} {
		got = nil
		to := filepath.Join(t.TempDir(), "to")
		if err := f.Fetch(t.Context(), runspec.Fetch{URL: "git::file://" + dir + want.url, To: to, Commit: want.record}); err != nil {
			t.Fatal(err)
		}
		if len(got) != 1 || got[0].Commit != want.commit || got[0].SHA256 != "" || got[0].Bytes == 0 {
			t.Errorf("%s is reported as %v, want the commit %s", want.url, got, want.commit)
		}
		file := filepath.Join(to, "data", "set.csv")
		if strings.HasPrefix(want.url, "//data") {
			file = filepath.Join(to, "set.csv")
		}
		if text, err := os.ReadFile(file); err != nil || string(text) != want.content {
			t.Errorf("%s has %q, %v", want.url, text, err)
		}
	}
}

func TestUnsupportedGitFetchesAreRejected(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fetcher *client
		request runspec.Fetch
		why     string
	}{
		"a digest":       {withGit(t, ""), runspec.Fetch{URL: "git::https://h/r?ref=v1", SHA256: "00"}, "the ref of a git URL already pins the content"},
		"no git":         {newFetcher(""), runspec.Fetch{URL: "git::https://h/r?ref=v1"}, "not supported here"},
		"no ref":         {withGit(t, ""), runspec.Fetch{URL: "git::https://h/r"}, "must end with ?ref="},
		"another scheme": {withGit(t, ""), runspec.Fetch{URL: "git::ext::sh -c true"}, "a git URL must be git:: followed by"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.request.To = filepath.Join(t.TempDir(), "to")
			if err := c.fetcher.Fetch(t.Context(), c.request); err == nil || !strings.Contains(err.Error(), c.why) {
				t.Errorf("error %v", err)
			}
		})
	}
}
