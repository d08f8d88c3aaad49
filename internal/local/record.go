package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// record is what is remembered of a job: what was applied and what came of it.
// It is written before anything else of the job and holds no secret value.
type record struct {
	Address        hclspec.Address   `json:"address"`
	Workspace      string            `json:"workspace"`
	Name           string            `json:"name"`
	User           string            `json:"user"`
	Framework      string            `json:"framework"`
	Hash           string            `json:"hash"`
	Fields         map[string]string `json:"fields"`
	SecretVersions map[string]string `json:"secret_versions,omitempty"`
	Applied        *resolve.Job      `json:"applied"`
	Created        time.Time         `json:"created"`
	// Declaration is kept for import, as cluster.Submission has it.
	Declaration []byte `json:"declaration,omitempty"`

	// The outcome, once there is one.
	State     planner.JobState `json:"state,omitempty"`
	ExitCode  *int             `json:"exit_code,omitempty"`
	Completed *time.Time       `json:"completed,omitempty"`
}

func newRecord(s cluster.Submission, now time.Time) *record {
	return &record{
		Address: s.Job.Address, Workspace: s.Job.Workspace, Name: s.Job.Name, User: s.Job.User,
		Framework: s.Job.Framework, Hash: s.Hash, Fields: s.Fields, SecretVersions: s.SecretVersions,
		Applied: s.Job, Created: now, Declaration: s.Declaration,
	}
}

// belongsTo reports whether the record is that of the given job.
func (r *record) belongsTo(job *resolve.Job) bool {
	return r.Workspace == job.Workspace && r.Address == job.Address
}

// loadRecord returns nil when there is no record.
func (l layout) loadRecord(framework string) (*record, error) {
	var r record
	err := readJSON(l.record(framework), &r)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("record of Framework %s: %w", framework, err)
	}
	return &r, nil
}

func (l layout) saveRecord(r *record) error {
	if err := os.MkdirAll(l.records(), 0o755); err != nil {
		return fmt.Errorf("make the directory of records: %w", err)
	}
	return writeJSON(l.record(r.Framework), r)
}

// removeRecord removes a record, and what was left of writing it by commands
// that were killed.
func (l layout) removeRecord(framework string) error {
	unfinished, err := filepath.Glob(filepath.Join(l.records(), "."+framework+".json.*"))
	if err != nil {
		return fmt.Errorf("list records: %w", err)
	}
	for _, name := range append(unfinished, l.record(framework)) {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove a record: %w", err)
		}
	}
	return nil
}

// recordNames returns the Frameworks that have a record, sorted.
func (l layout) recordNames() ([]string, error) {
	files, err := filepath.Glob(filepath.Join(l.records(), "*.json"))
	if err != nil {
		return nil, fmt.Errorf("list records: %w", err)
	}
	var names []string
	for _, f := range files {
		if name := strings.TrimSuffix(filepath.Base(f), ".json"); frameworkName.MatchString(name) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names, nil
}

// editRecord changes the record of a Framework, if there is one. Commands and
// the supervisor both write it, so it is done under the object's lock.
func (o object) editRecord(l layout, change func(*record)) error {
	lock, err := lockFile(o.editLock(), true)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil {
		defer lock.release()
	}
	r, err := l.loadRecord(o.name)
	if r == nil || err != nil {
		return err
	}
	change(r)
	return l.saveRecord(r)
}
