// SPDX-License-Identifier: MPL-2.0

package store

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// CompletedAttempt describes how a task attempt ended. Each attempt has a file with
// this content.
type CompletedAttempt struct {
	State  framework.State             `json:"state"`
	Status framework.TaskAttemptStatus `json:"status"`
}

// Save creates the directory and writes the attempt to its status file.
func (a CompletedAttempt) Save(dir TaskDir) error {
	if err := os.MkdirAll(string(dir), 0o755); err != nil {
		return err
	}
	return WriteJSON(dir.Status(), a)
}

// CompletedAttempts returns, in order, the completed attempts of a task within
// one job attempt.
func (l Layout) CompletedAttempts(framework string, jobAttempt int32, key TaskKey) []CompletedAttempt {
	dir := filepath.Dir(string(l.TaskAttempt(framework, jobAttempt, key, 0)))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var kept []CompletedAttempt
	for _, e := range entries {
		id, err := strconv.ParseInt(e.Name(), 10, 32)
		if err != nil {
			continue
		}
		var k CompletedAttempt
		if ReadJSON(l.TaskAttempt(framework, jobAttempt, key, int32(id)).Status(), &k) == nil {
			kept = append(kept, k)
		}
	}
	slices.SortFunc(kept, func(a, b CompletedAttempt) int { return cmp.Compare(a.Status.ID, b.Status.ID) })
	return kept
}
