// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

// openPause is the pause between attempts to open the log of an unstarted
// container. The pause is short because FrameworkController deletes a Pod
// immediately after the Pod has ended.
const openPause = 200 * time.Millisecond

// unthrottledFollowers limits the requests of waiting followers. If fewer
// followers are waiting, each of them pauses for openPause before it retries.
// Otherwise, all followers pause longer, so that they send no more requests
// than unthrottledFollowers followers would send with openPause.
const unthrottledFollowers = 16

// follower copies the log of an attempt.
type follower struct {
	*logs
	seen    *attempts
	attempt *attempt
	log     podLog
	out     *streamFilter // filters the log
	opened  bool          // whether a log existed
	broken  bool          // whether the last stream ended before the end of the log
}

// errOtherPod reports that a new Pod has the name of a Pod that no longer exists.
var errOtherPod = cluster.NotFound("a new Pod replaced the Pod of the task")

// run returns when the container has ended. If the log can no longer be read, run
// copies the lines in the termination message.
func (f *follower) run(ctx context.Context) error {
	f.out = f.combined()
	f.log.out, f.log.lines = f.out, f.lines
	defer f.c.withStages(stageKeyOf(f.attempt.pod, f.attempt.key.jobAttempt, f.attempt.key.attempt), &f.log)()
	return errors.Join(f.copyAll(ctx), f.out.Flush())
}

func (f *follower) copyAll(ctx context.Context) error {
	for {
		err := f.copyStream(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case apierrors.IsBadRequest(err): // the container has not started
			if err := f.waitForStart(ctx); api.IsNotFound(err) {
				return f.finish(ctx)
			} else if err != nil {
				return err
			}
			continue
		case api.IsNotFound(err):
			return f.finish(ctx)
		case apierrors.IsForbidden(err), errors.Is(err, errWrite):
			return err
		}
		f.broken = err != nil
		over, err := f.over(ctx)
		if err != nil {
			return err
		}
		if over && !f.broken {
			return f.finish(ctx)
		}
		if err := waitOpenPause(ctx); err != nil {
			return err
		}
	}
}

// copyStream copies the log from the last position until the server ends the
// stream.
func (f *follower) copyStream(ctx context.Context) error {
	if !f.opened && f.request.TailLines > 0 {
		body, err := f.openPod(ctx, f.attempt.pod, &f.log, false)
		if err != nil {
			return err
		}
		f.opened = true
		f.note("the log of the Pod %s", f.attempt.pod)
		if err := f.copyTail(body, &f.log, f.out); err != nil {
			return err
		}
	}
	body, err := f.openPod(ctx, f.attempt.pod, &f.log, true)
	if err != nil {
		return err
	}
	defer body.Close()
	// The Pod of the next attempt has the same name.
	if h, err := f.c.getHeader(ctx, api.Pods, f.attempt.pod); err != nil {
		return err
	} else if h != nil && h.Metadata.UID != f.attempt.uid {
		return errOtherPod
	}
	if !f.opened {
		f.opened = true
		f.note("the log of the Pod %s", f.attempt.pod)
	}
	return f.log.copy(body)
}

// waitForStart waits before the next attempt to open the log. It fails with
// ErrNotFound if the Pod no longer exists.
func (f *follower) waitForStart(ctx context.Context) error {
	s := f.seen
	s.mu.Lock()
	s.waiting++
	pause := time.NewTimer(openPause * time.Duration(1+s.waiting/unthrottledFollowers))
	defer pause.Stop()
	defer func() {
		s.waiting--
		s.mu.Unlock()
	}()
	before := f.attempt.started
	for f.attempt.started.Equal(before) {
		if f.attempt.gone || s.byKey[f.attempt.key] != f.attempt {
			return errOtherPod
		}
		changed := s.changed
		s.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-pause.C:
			changed = nil
		case <-changed:
		}
		s.mu.Lock()
		if ctx.Err() != nil || changed == nil {
			return ctx.Err()
		}
	}
	return nil
}

// over reports whether the container has ended or its Pod no longer exists.
func (f *follower) over(ctx context.Context) (bool, error) {
	var p pod
	switch err := f.c.get(ctx, api.Pods, f.attempt.pod, &p); {
	case api.IsNotFound(err):
		return true, nil
	case err != nil:
		return false, err
	}
	return p.Metadata.UID != f.attempt.uid || p.exit() != nil, nil
}

// finish copies the rest of the log from other sources if the stream ended
// early.
func (f *follower) finish(ctx context.Context) error {
	if f.opened && !f.broken {
		return f.log.finish()
	}
	exit, err := f.exit(ctx)
	if err != nil {
		return err
	}
	if found, err := f.copyStored(f.attempt.key.role, f.attempt.uid); found || err != nil {
		return err
	}
	if !f.opened {
		return f.copyLastLines(exit, f.attempt.uid)
	}
	rest := exit.LastLines
	if i := slices.Index(rest, f.log.final); i >= 0 {
		rest = rest[i+1:]
	}
	f.gap("the log of the Pod %s ended early; these are the last lines, from its termination message%s", f.attempt.pod, f.storageNote(f.role, f.attempt.uid))
	if len(rest) == 0 {
		return nil
	}
	f.lines.SetTime(time.Time{})
	_, err = io.WriteString(f.log.out, strings.Join(rest, "\n")+"\n")
	return err
}

// exit waits for the result of the attempt. It returns an empty record if the end of
// the attempt was not observed.
func (f *follower) exit(ctx context.Context) (*exitspec.Record, error) {
	start := f.c.options.Now()
	for {
		exit, gone := f.seen.exit(f.attempt)
		if exit != nil {
			return exit, nil
		}
		_, err := f.find(ctx)
		waited := f.c.options.Now().Sub(start)
		switch {
		case err != nil && !api.IsNotFound(err):
			return nil, err
		case err == nil && f.task != nil && f.task.AttemptStatus.CompletionStatus != nil:
			return exitRecord(f.task.AttemptStatus.CompletionStatus), nil
		case err != nil && (gone || waited > lingering), waited > engineLag:
			return &exitspec.Record{}, nil
		}
		if err := waitOpenPause(ctx); err != nil {
			return nil, err
		}
	}
}

// waitOpenPause waits for openPause, or until the context ends.
func waitOpenPause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(openPause):
		return nil
	}
}
