// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// seenStages contains the stages that a test has read for one task.
type seenStages struct {
	t     *testing.T
	dir   string // contains a file for each stage that the test has read
	done  chan struct{}
	over  sync.WaitGroup
	words []string
}

// watchStages reads the stages of the rig's task until the test calls
// seenStages.all or ends.
func (r *rig) watchStages() *seenStages {
	s := &seenStages{t: r.t, dir: r.t.TempDir(), done: make(chan struct{})}
	s.over.Go(func() {
		for {
			if record := stage.Read(r.config.Root); record != nil {
				s.add(record)
			}
			select {
			case <-s.done:
				return
			case <-s.t.Context().Done():
				return
			case <-time.After(time.Millisecond):
			}
		}
	})
	r.t.Cleanup(s.over.Wait)
	return s
}

func (s *seenStages) add(r *stage.Record) {
	words := fmt.Sprintf("%s %s %d/%d %s", r.Stage, r.Step, r.Number, r.Count, r.Event)
	if slices.Contains(s.words, words) {
		return
	}
	s.words = append(s.words, words)
	if err := os.WriteFile(s.file(r.Stage, r.Event), nil, 0o644); err != nil {
		s.t.Error(err)
	}
}

// file returns the path of a file that the test creates when it has read the
// stage.
func (s *seenStages) file(name stage.Name, event string) string {
	return filepath.Join(s.dir, strings.TrimSuffix(string(name)+"-"+event, "-"))
}

// script returns a command that waits until the test has read the stage.
func (s *seenStages) script(name stage.Name, event string) string {
	return "until [ -e " + s.file(name, event) + " ]; do sleep 0.02; done"
}

// wait returns when the test has read the stage.
func (s *seenStages) wait(name stage.Name, event string) {
	for _, err := os.Stat(s.file(name, event)); err != nil && s.t.Context().Err() == nil; _, err = os.Stat(s.file(name, event)) {
		time.Sleep(time.Millisecond)
	}
}

// all stops the goroutine that reads the stages, and returns the stages in a
// short form, in order of appearance.
func (s *seenStages) all() []string {
	close(s.done)
	s.over.Wait()
	return s.words
}
