// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// repository creates a git repository with two commits. It returns the first
// commit's hash.
func (r *rig) repository() (dir, first string) {
	r.t.Helper()
	dir = filepath.Join(r.dir, "repository")
	script := `git init -q "$1" && cd "$1" && git config user.name a && git config user.email a@b &&
		echo hidden >.hidden && echo plain >file && git add . && git commit -q -m x && git rev-parse HEAD &&
		echo newer >file && git commit -q -a -m y && git update-server-info`
	out, err := exec.Command("sh", "-c", script, "-", dir).CombinedOutput()
	if err != nil {
		r.t.Fatalf("%v\n%s", err, out)
	}
	return dir, strings.TrimSpace(string(out))
}

func TestTheGitPluginClonesARepository(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		parameters map[string]any
		commands   string
		output     string
	}{
		"a clone includes hidden files": {map[string]any{"clone_dir": "code", "options": []any{"--depth 1", "--quiet"}}, "cat code/.hidden code/file; [ -d code/.git ]", "hidden\nnewer\n"},
		"a depth":                       {map[string]any{"clone_dir": "code", "depth": 1.0}, "git -C code rev-list --count HEAD", "1\n"},
		"a commit":                      {map[string]any{"clone_dir": "code", "commit": "FIRST"}, "cat code/file", "plain\n"},
		"a commit and a depth":          {map[string]any{"clone_dir": "code", "commit": "FIRST", "depth": 1.0}, "cat code/file", "plain\n"},
		"an empty directory":            {map[string]any{"clone_dir": "empty"}, "cat empty/file", "newer\n"},
		"the usual directory":           {nil, "cat \"$PAI_HOSTS_FILE\" >/dev/null; cat ../pai/code/file", "newer\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, c.commands)
			repository, first := r.repository()
			parameters := map[string]any{"repo_uri": "file://" + repository}
			for key, v := range c.parameters {
				if v == "FIRST" {
					v = first
				}
				parameters[key] = v
			}
			if err := os.Mkdir(filepath.Join(r.config.WorkDir, "empty"), 0o755); err != nil {
				t.Fatal(err)
			}
			r.plugin("git", parameters)
			if record := r.run(); record.Code != 0 || r.output() != c.output {
				t.Errorf("output %q, record %+v\n%s", r.output(), record, r.log())
			}
		})
	}
}

func TestAFailedCloneEndsTheTaskAndLeavesNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		parameters map[string]any
		log        string
	}{
		"a directory that is not empty": {map[string]any{"clone_dir": "."}, "already exists and is not an empty directory"},
		"a commit that does not exist":  {map[string]any{"clone_dir": "code", "commit": "0123456789012345678901234567890123456789"}, "plugin git of plugin.git exited with code"},
		"an invalid option":             {map[string]any{"options": []any{"--dpeth 1"}}, "unknown option"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "echo user >>trace")
			repository, _ := r.repository()
			c.parameters["repo_uri"] = "file://" + repository
			if err := os.WriteFile(filepath.Join(r.config.WorkDir, "mine"), nil, 0o644); err != nil {
				t.Fatal(err)
			}
			r.plugin("git", c.parameters)
			record := r.run()
			if record.Code == 0 || !strings.Contains(r.log(), c.log) {
				t.Errorf("record %+v\n%s", record, r.log())
			}
			if _, err := os.Stat(filepath.Join(r.config.WorkDir, "code")); err == nil {
				t.Error("a partial clone remains")
			}
		})
	}
}

func TestTwoGitPluginsHaveTheirOwnDirectories(t *testing.T) {
	t.Parallel()
	r := newRig(t, "cat ../pai/code/file ../pai/code-2/file")
	repository, _ := r.repository()
	for range 2 {
		r.plugin("git", map[string]any{"repo_uri": "file://" + repository})
	}
	if record := r.run(); record.Code != 0 || r.output() != "newer\nnewer\n" {
		t.Errorf("output %q, record %+v\n%s", r.output(), record, r.log())
	}
}

// TestEachCloneFailureHasItsCodeAndRetries checks the failure class and the duration of
// the retries for each cause.
func TestEachCloneFailureHasItsCodeAndRetries(t *testing.T) {
	t.Parallel()
	status := func(code int) func(*rig) string {
		return func(r *rig) string {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }))
			r.t.Cleanup(server.Close)
			return server.URL
		}
	}
	fixed := func(url string) func(*rig) string { return func(*rig) string { return url } }
	for name, c := range map[string]struct {
		source func(*rig) string
		retry  *runspec.Retry
		code   int
		reason string
		least  time.Duration
		most   time.Duration
	}{
		"a port on which nothing listens": {
			func(r *rig) string { return "http://" + closedPort(r.t) }, nil,
			exitspec.CodeSourceRefused, "exited with code 128: fatal: unable to access 'http://127.0.0.1:", time.Second, 2 * time.Minute,
		},
		"an unknown host":      {fixed("http://no-such-host.invalid"), nil, exitspec.CodeSourceRefused, "exited with code 128: fatal: unable to access ", time.Second, 2 * time.Minute},
		"an unknown one, once": {fixed("http://no-such-host.invalid"), &runspec.Retry{Attempts: 1}, exitspec.CodeSourceRefused, "exited with code 128: fatal: unable to access ", 0, 0},
		"it does not exist":    {fixed("file:///no"), nil, exitspec.CodeSourceRefused, "exited with code 128: fatal: '/no/r.git' does not appear to be a git repository", 0, 0},
		"404":                  {status(http.StatusNotFound), nil, exitspec.CodeSourceRefused, "exited with code 128: fatal: repository ", 0, 0},
		"403":                  {status(http.StatusForbidden), nil, exitspec.CodeSourceRefused, "exited with code 128: fatal: unable to access ", 0, 0},
		"503":                  {status(http.StatusServiceUnavailable), nil, exitspec.CodeSourceUnreachable, "returned error: 503", time.Minute, time.Hour},
		"429 with few tries":   {status(http.StatusTooManyRequests), &runspec.Retry{Attempts: 2}, exitspec.CodeSourceUnreachable, "returned error: 429", time.Minute, 3 * time.Minute},
		"408, once":            {status(http.StatusRequestTimeout), &runspec.Retry{Attempts: 1}, exitspec.CodeSourceUnreachable, "returned error: 408", 0, 0},
		"it sends nothing": {
			func(r *rig) string {
				l, err := net.Listen("tcp", "127.0.0.1:0")
				if err != nil {
					r.t.Fatal(err)
				}
				r.t.Cleanup(func() { _ = l.Close() })
				r.config.Environ = append(r.config.Environ, "GIT_HTTP_LOW_SPEED_TIME=1")
				return "http://" + l.Addr().String()
			}, &runspec.Retry{Attempts: 1}, exitspec.CodeSourceUnreachable, "Operation too slow", 0, 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "true")
			r.plugin("git", map[string]any{"repo_uri": c.source(r) + "/r.git", "clone_dir": "code"}).Retry = c.retry
			waited := r.skipPauses()
			record := r.run()
			if record.Code != c.code || !strings.Contains(record.Reason, c.reason) {
				t.Errorf("record %+v, want code %d and %q", record, c.code, c.reason)
			}
			if total := waited(); total < c.least || total > c.most {
				t.Errorf("the pauses are %s", total)
			}
		})
	}
}

// In OpenPAI's original runtime, the git plugin crashes if a server reports too many
// requests.
func TestGitTriesAgainOnlyWhatMayPass(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status  int
		clones  bool
		retried bool
	}{
		"too many requests":             {http.StatusTooManyRequests, true, true},
		"a failing server":              {http.StatusServiceUnavailable, true, true},
		"the repository does not exist": {http.StatusNotFound, false, false},
		"access is not granted":         {http.StatusUnauthorized, false, false},
		"access is refused":             {http.StatusForbidden, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "cat code/file")
			repository, _ := r.repository()
			var asked atomic.Int32
			files := http.FileServer(http.Dir(filepath.Join(repository, ".git")))
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
				if asked.Add(1) <= 2 || !c.clones {
					w.Header().Set("Retry-After", "1")
					w.WriteHeader(c.status)
					return
				}
				files.ServeHTTP(w, q)
			}))
			defer server.Close()
			r.plugin("git", map[string]any{"repo_uri": strings.Replace(server.URL, "://", "://alice:pass-word-77@", 1), "clone_dir": "code"}).Retry = &runspec.Retry{Attempts: 4}
			record := r.run()
			if (record.Code == 0) != c.clones || c.clones && r.output() != "newer\n" {
				t.Errorf("record %+v\n%s", record, r.log())
			}
			if strings.Contains(r.log(), "pass-word-77") {
				t.Errorf("the password is in the log\n%s", r.log())
			}
			if got := strings.Contains(r.log(), "follows in 1s"); got != c.retried {
				t.Errorf("retried after the delay that the server requested: %v\n%s", got, r.log())
			}
		})
	}
}
