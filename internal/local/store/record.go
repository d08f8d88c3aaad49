// SPDX-License-Identifier: MPL-2.0

package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// NewRecord returns the record of a submission. Create writes it before any other
// file of the job.
func NewRecord(s cluster.Submission, now time.Time) *cluster.Record {
	r := cluster.NewRecord(s, now)
	r.Applied, r.Declaration = s.Job, s.Declaration
	return &r
}

// LoadRecord reads a record. It returns nil if the record does not exist.
func (l Layout) LoadRecord(framework string) (*cluster.Record, error) {
	text, err := readFile(l.RecordFile(framework))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var r *cluster.Record
	if err == nil {
		r, err = cluster.DecodeRecord(text)
	}
	if err == nil && (r.Framework != framework || r.Address == "") {
		err = errors.New("it is not the record of this job")
	}
	if err != nil {
		return nil, fmt.Errorf("read the record of Framework %s: %w", framework, &UnreadableError{File: l.RecordFile(framework), Err: err})
	}
	return r, nil
}

// SaveRecord replaces the record of r.Framework atomically. It does not acquire a
// lock; use EditRecord if a supervisor may be running.
func (l Layout) SaveRecord(r *cluster.Record) error {
	if err := os.MkdirAll(l.Records(), 0o755); err != nil {
		return fmt.Errorf("create the record directory: %w", err)
	}
	return WriteJSON(l.RecordFile(r.Framework), r)
}

// RemoveRecord removes a record and the temporary files that killed commands left
// behind.
func (l Layout) RemoveRecord(framework string) error {
	unfinished := Glob(l.Records(), "."+framework+".json.*")
	for _, name := range append(unfinished, l.RecordFile(framework)) {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove a record: %w", err)
		}
	}
	return nil
}

func (l Layout) recordNames() []string {
	var names []string
	for _, f := range Glob(l.Records(), "*.json") {
		if name := strings.TrimSuffix(filepath.Base(f), ".json"); FrameworkName.MatchString(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// EditRecord changes the record of a Framework if the record exists. It holds
// the object's lock during the change, because the supervisor and commands
// can write the record at the same time.
func (o Object) EditRecord(l Layout, change func(*cluster.Record)) error {
	lock, err := lockFile(o.editLock(), true)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil {
		defer lock.Release()
	}
	r, err := l.LoadRecord(o.Name)
	if r == nil || err != nil {
		return err
	}
	change(r)
	return l.SaveRecord(r)
}
