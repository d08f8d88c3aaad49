// SPDX-License-Identifier: MPL-2.0

package stage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// ErrNotHeld means that no end callback holds the task.
var ErrNotHeld = errors.New("the task is not held")

// releaseFile is the name of a file in the root directory of a task. The file
// contains a request to release the task.
const releaseFile = "release.json"

// release is a request to end a hold. The request identifies the hold, so that a
// late request does not end a later hold.
type release struct {
	Since time.Time `json:"since"`
}

const (
	releasePoll = 50 * time.Millisecond
	// ReleaseTime is the maximum time that the runtime takes to end the callback.
	// The runtime polls for requests, sends SIGTERM, and later sends SIGKILL.
	ReleaseTime = 15 * time.Second
)

// RequestRelease asks the runtime to release the held task in root, and waits
// until the hold has ended. It fails with [ErrNotHeld] if the task is not
// held.
func RequestRelease(ctx context.Context, root string) error {
	held, err := AskRelease(root)
	if err != nil {
		return err
	}
	return AwaitRelease(ctx, root, held)
}

// AskRelease is the first half of [RequestRelease]. It writes the request and
// returns the held task's record.
func AskRelease(root string) (held *Record, err error) {
	held = Read(root)
	if held == nil || held.Stage != Held {
		return nil, ErrNotHeld
	}
	text, err := json.Marshal(release{Since: held.Since})
	if err != nil {
		panic("stage: " + err.Error())
	}
	name := filepath.Join(root, releaseFile)
	if err := os.WriteFile(name+".tmp", text, 0o644); err != nil {
		return nil, fmt.Errorf("end the hold: %w", err)
	}
	if err := os.Rename(name+".tmp", name); err != nil {
		return nil, fmt.Errorf("end the hold: %w", err)
	}
	return held, nil
}

// AwaitRelease waits until the hold in a record from [AskRelease] has ended.
func AwaitRelease(ctx context.Context, root string, held *Record) error {
	ctx, cancel := context.WithTimeout(ctx, ReleaseTime)
	defer cancel()
	for held.Same(Read(root)) {
		select {
		case <-time.After(releasePoll):
		case <-ctx.Done():
			return fmt.Errorf("the runtime did not end the hold within %s: %w", ReleaseTime, ctx.Err())
		}
	}
	return nil
}

// Released reports whether there is a request to end a hold. since is the
// time when the hold began.
func Released(root string, since time.Time) bool {
	var r release
	text, err := os.ReadFile(filepath.Join(root, releaseFile))
	return err == nil && json.Unmarshal(text, &r) == nil && r.Since.Equal(since)
}
