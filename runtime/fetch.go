// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/locator"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/runtime/fetch"
	"github.com/openpai/terraform-provider-openpai/runtime/logs"
)

// exitFetch is the exit code for a failed download.
const exitFetch = 1

// fetchOne downloads one file or directory. A stop request interrupts the
// download.
func (t *task) fetchOne(ctx context.Context, step *runspec.Step, f *runspec.Fetch) outcome {
	resolved, err := t.resolveFetch(f)
	if err != nil {
		return failed(exitFetch, "failed: %v", err)
	}
	t.markStarted()
	t.enterFetch(step, f, &resolved)
	work, cancel := t.untilStop(ctx)
	defer cancel()
	fetcher := t.fetcher(ctx)
	fetcher.Fetched = func(r fetch.Result) {
		if len(t.record.Fetched) < exitspec.MaxFetched {
			t.record.Fetched = append(t.record.Fetched, exitspec.Fetched{Step: step.Address, URL: locator.Show(f.URL), SHA256: r.SHA256, Commit: r.Commit, Bytes: r.Bytes})
		}
	}
	err = fetcher.Fetch(work, resolved)
	switch {
	case err == nil:
		t.log.Info("fetched " + locator.Show(resolved.URL) + " to " + f.To)
		return outcome{}
	case errors.Is(err, errStopped):
		return outcome{stopped: true, reason: was("ended because the task received a stop request")}
	case ctx.Err() != nil:
		return outcome{code: exitTimeout, expired: true, reason: was("ended because the task reached its time limit")}
	}
	out := failed(exitFetch, "failed: %v", err)
	class := fetch.FailureOf(err)
	out.record, out.hint = class.Code(), class.Hint()
	var git *fetch.GitError
	if errors.As(err, &git) {
		out.lines = git.Lines
	}
	return out
}

// resolveFetch replaces references to secrets with their values, and makes the
// destination absolute.
func (t *task) resolveFetch(f *runspec.Fetch) (r runspec.Fetch, err error) {
	r = *f
	for _, s := range []*string{&r.URL, &r.To, &r.Auth} {
		if *s, err = t.secrets.render(*s, t.env.lookup); err != nil {
			return r, err
		}
	}
	if !filepath.IsAbs(r.To) {
		r.To = t.WorkDir + "/" + r.To // retains a trailing slash, which means a directory
	}
	return r, nil
}

func (t *task) fetcher(ctx context.Context) *fetch.Fetcher {
	return &fetch.Fetcher{
		Dir: t.FetchDir, Cache: t.FetchCache, CacheBytes: t.FetchCacheBytes, Log: t.log.Info, Now: t.Now,
		Progress: (&meter{stages: t.stages, now: t.Now}).report, Waiting: t.stages.wait, Sleep: t.pauseDownload,
		Git: func(_ context.Context, command string, environ map[string]string) error {
			return t.gitForFetch(ctx, command, environ)
		},
	}
}

func (t *task) pauseDownload(ctx context.Context, d time.Duration) error {
	select {
	case <-t.after(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// gitForFetch runs a git script. It logs the script's output, and adds the last
// lines to the error.
func (t *task) gitForFetch(ctx context.Context, command string, environ map[string]string) error {
	vars := environment{vars: maps.Clone(t.env.vars)}
	maps.Copy(vars.vars, environ)
	last := &logs.Tail{}
	out, _ := t.run(ctx, script{commands: []string{command}, environ: vars.list(nil), stdout: t.log.Callback(last)})
	if out.ok() {
		return nil
	}
	return &fetch.GitError{Reason: out.reason.String(), Lines: last.Lines()}
}
