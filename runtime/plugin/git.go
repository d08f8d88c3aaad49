// SPDX-License-Identifier: MPL-2.0

//go:build unix

package plugin

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/locator"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/internal/shellquote"
	"github.com/openpai/terraform-provider-openpai/runtime/fetch"
)

// Retry rule for a clone if the step does not set a retry rule. The number of
// attempts is the same as in OpenPAI's plugin. The pauses double each time,
// up to five minutes.
const (
	gitAttempts = 10
	gitPause    = time.Second
	gitMaxPause = 5 * time.Minute
	// gitMaxWait is the longest pause that Retry-After can cause.
	gitMaxWait = 15 * time.Minute
	// gitPatience is the minimum time to retry transient failures. It is also the
	// maximum time to retry a failed connection: the network of a new Pod may not
	// be ready yet, but the address may also be wrong.
	gitPatience = time.Minute
	// gitSilence is the maximum time without data from an HTTP server.
	gitSilence = time.Minute
)

// git clones a repository with the image's git program. It accepts the
// original plugin's parameters repo_uri, options and clone_dir, and the new
// parameters depth and commit. Source: microsoft/openpai-runtime:
// src/plugins/git.
func (s *Set) git(_ context.Context, t Task, step *runspec.Step) Result {
	p := newParameters(t, step)
	c := clone{
		repository: p.stringValue("repo_uri"), options: p.stringList("options"), dir: p.stringValue("clone_dir"),
		commit: p.stringValue("commit"), depth: int(p.numberValue("depth")),
	}
	if c.repository == "" && len(p.errs) == 0 {
		p.errs = append(p.errs, "repo_uri is not given")
	}
	if r := p.result(); !r.ok() {
		return r
	}
	if c.dir == "" {
		c.dir = s.cloneDir(t.Attempt().Root)
	}
	attempts, pause := gitAttempts, gitPause
	if step.Retry != nil {
		attempts, pause = step.Retry.Attempts, time.Duration(step.Retry.BackoffSeconds)*time.Second
	}
	return c.withRetries(t, attempts, pause)
}

// cloneDir returns the default directory below the root: "code" for the first
// repository, as in the original, and "code-N" for repository N.
func (s *Set) cloneDir(root string) string {
	s.clones++
	if s.clones == 1 {
		return filepath.Join(root, "code")
	}
	return filepath.Join(root, "code-"+strconv.Itoa(s.clones))
}

// clone describes a repository to clone.
type clone struct {
	repository, dir, commit string
	options                 []string
	depth                   int
}

func (c *clone) withRetries(t Task, attempts int, pause time.Duration) Result {
	for attempt, waited := 1, time.Duration(0); ; attempt++ {
		result, answer := c.run(t)
		if result.ok() || result.Stopped {
			return result
		}
		failure := &fetch.GitError{Reason: result.Reason, Lines: result.Lines}
		class := answer.failure(failure)
		result.Spec, result.Hint = class.Code(), class.Hint()
		if line := failure.Line(); line != "" {
			result.Reason += ": " + line
		}
		patient := class == fetch.FailureUnreachable && attempts > 1 && waited < gitPatience
		if attempt >= attempts && !patient || !mayPass(class, failure, waited) {
			return result
		}
		wait := min(max(pause, gitPause, answer.wait), gitMaxWait)
		t.Warn(fmt.Sprintf("git clone of %s %s; attempt %d follows in %s", locator.Show(c.repository), result.Reason, attempt+1, wait))
		if !t.Pause(result.Reason, wait) {
			result.Stopped = true
			return result
		}
		waited += wait
		pause = min(2*max(pause, gitPause), gitMaxPause)
	}
}

// mayPass reports whether another attempt to clone a repository may succeed.
func mayPass(class fetch.Failure, failure *fetch.GitError, waited time.Duration) bool {
	return class == fetch.FailureUnreachable || failure.Unconnected() && waited < gitPatience
}

// run clones the repository once. The server's response comes from git's
// trace, which hides credentials.
func (c *clone) run(t Task) (Result, gitResponse) {
	dir, err := os.MkdirTemp(t.Attempt().Root, "git-")
	if err != nil {
		return failed("failed: %v", err), gitResponse{}
	}
	defer func() { _ = os.RemoveAll(dir) }()
	trace := filepath.Join(dir, "trace")
	result := t.Run(c.script(trace))
	return result, readGitTrace(trace, time.Now())
}

// script returns the clone script. The script removes the clone if a later command
// fails.
func (c *clone) script(trace string) string {
	var words []string
	for _, o := range c.options {
		for w := range strings.FieldsSeq(o) {
			words = append(words, shellquote.Quote(w))
		}
	}
	if c.depth > 0 {
		words = append(words, "--depth", strconv.Itoa(c.depth))
	}
	if c.commit != "" {
		words = append(words, "--no-checkout")
	}
	lines := []string{
		"command -v git >/dev/null || { echo 'the image does not contain git; install it, or clone in a callback with a different program' >&2; exit 127; }",
		"export LC_ALL=C GIT_TERMINAL_PROMPT=0 GIT_TRACE_CURL_NO_DATA=1 GIT_TRACE_CURL=" + shellquote.Quote(trace),
		fmt.Sprintf("export GIT_HTTP_LOW_SPEED_LIMIT=${GIT_HTTP_LOW_SPEED_LIMIT:-1} GIT_HTTP_LOW_SPEED_TIME=${GIT_HTTP_LOW_SPEED_TIME:-%d}", int(gitSilence.Seconds())),
		"git clone " + strings.Join(words, " ") + " -- " + shellquote.Quote(c.repository) + " " + shellquote.Quote(c.dir),
	}
	if c.commit != "" {
		lines = append(lines, c.checkout()...)
	}
	return strings.Join(lines, "\n")
}

// checkout returns commands that fetch a missing commit and check it out. If the
// fetch fails in a shallow clone, the commands fetch the whole history.
func (c *clone) checkout() []string {
	in := "git -C " + shellquote.Quote(c.dir) + " "
	commit := shellquote.Quote(c.commit)
	fetch := in + "cat-file -e " + shellquote.Quote(c.commit+"^{commit}") + " 2>/dev/null"
	if c.depth > 0 {
		fetch += " || " + in + "fetch --depth " + strconv.Itoa(c.depth) + " origin " + commit +
			" || " + in + "fetch --unshallow origin"
	} else {
		fetch += " || " + in + "fetch origin " + commit
	}
	discard := "{ code=$?; rm -rf -- " + shellquote.Quote(c.dir) + "; exit $code; }"
	return []string{"{ { " + fetch + "; } && " + in + "checkout --detach --quiet " + commit + "; } || " + discard}
}
