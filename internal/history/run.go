// SPDX-License-Identifier: MPL-2.0

package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Version is the format version of [Run]. Increase it for every format change that
// makes older programs misread a record.
const Version = 1

// Run is the record of one submission of a job. It contains no secret values or
// host names. Its paths are relative to the workspace.
type Run struct {
	Version int `json:"version"`
	// Number is the sequence number of the submission for the address,
	// starting at 1. A failed submission leaves a gap.
	Number int `json:"number"`
	// UID is the UID of the run's Framework. It distinguishes between runs with the
	// same number.
	UID       string          `json:"uid"`
	Address   hclspec.Address `json:"address"`
	Workspace string          `json:"workspace"`
	Cluster   string          `json:"cluster"`
	Name      string          `json:"name"`
	Framework string          `json:"framework"`
	// RepeatOf is the number of the run that this run repeats, or 0.
	RepeatOf int `json:"repeat_of,omitempty"`
	// Adopted is set if another owner submitted the job.
	Adopted bool `json:"adopted,omitempty"`

	Submitted time.Time `json:"submitted"`
	User      string    `json:"user"`
	// Command is the command that submitted the job, without its arguments.
	Command  string   `json:"command,omitempty"`
	Git      *Git     `json:"git,omitempty"`
	Versions Versions `json:"versions"`

	// Hash is the content hash of the job. Job is the resolved job as canonical
	// JSON, or nil if omitted.
	Hash      string          `json:"hash,omitempty"`
	Job       json.RawMessage `json:"job,omitempty"`
	Variables []Variable      `json:"variables,omitempty"`
	// Locals are the workspace's locals, except locals with secrets or above
	// a size limit. ClusterDefaults are the defaults of the cluster. Later
	// plans use Locals and ClusterDefaults to find the causes of changes.
	Locals          []Variable        `json:"locals,omitempty"`
	ClusterDefaults json.RawMessage   `json:"cluster_defaults,omitempty"`
	Secrets         map[string]string `json:"secret_versions,omitempty"`
	// SecretsKey is the ID of the key for the versions in Secrets; see
	// [planner.SecretKeyID].
	SecretsKey string        `json:"secrets_key,omitempty"`
	Items      []Item        `json:"items,omitempty"`
	Images     []Image       `json:"images,omitempty"`
	Data       []Data        `json:"data,omitempty"`
	Resources  planner.Usage `json:"resources"`

	// Outcome is nil until a command has read the outcome from the cluster.
	Outcome *Outcome `json:"outcome,omitempty"`
	Tasks   []Task   `json:"tasks,omitempty"`
	// Metrics are the values that the job reported. CPUSeconds and PeakMemoryBytes
	// are the resource usage of the job, or 0 if unknown.
	Metrics         map[string]float64 `json:"metrics,omitempty"`
	CPUSeconds      float64            `json:"cpu_seconds,omitempty"`
	PeakMemoryBytes int64              `json:"peak_memory_bytes,omitempty"`
	// Logs is the list of logs that are stored with the record. LogPlace is the
	// location of the complete logs on the cluster, if any.
	Logs     []Log  `json:"logs,omitempty"`
	LogPlace string `json:"log_place,omitempty"`
	// Omitted is the list of omitted parts; see [Part].
	Omitted []string `json:"omitted,omitempty"`
}

// Git is the state of the Git repository from which a job was submitted.
type Git struct {
	Commit string `json:"commit"`
	// Dirty is true if tracked files changed, if there are untracked
	// configuration files, or if git could not determine the state.
	Dirty bool `json:"dirty"`
}

// Versions are the versions of the programs that a run used.
type Versions struct {
	OpenPAI string `json:"openpai,omitempty"`
	Runtime string `json:"runtime,omitempty"`
	Engine  string `json:"engine,omitempty"`
}

// Variable is a configuration variable and its value. The value of a sensitive
// variable is omitted, because it is a secret.
type Variable struct {
	Name      string          `json:"name"`
	Value     json.RawMessage `json:"value,omitempty"`
	Sensitive bool            `json:"sensitive,omitempty"`
}

// Item is a marketplace item or module at the version in the lock file.
type Item struct {
	Address string `json:"address"`
	Version string `json:"version,omitempty"`
	Source  string `json:"source,omitempty"`
	// Commit is set only for a module in a Git repository.
	Commit string `json:"commit,omitempty"`
	Hash   string `json:"hash,omitempty"`
}

// Image is the image of a task role. Digest is "" if unknown.
type Image struct {
	TaskRole string `json:"task_role"`
	URI      string `json:"uri"`
	Digest   string `json:"digest,omitempty"`
}

// Data is a file or directory that a prerequisite downloads. SHA256 is "" unless it
// was declared, locked or reported by a task. Commit is the commit of a Git directory,
// or "" if unknown.
type Data struct {
	Prerequisite string `json:"prerequisite"`
	URL          string `json:"url"`
	SHA256       string `json:"sha256,omitempty"`
	Commit       string `json:"commit,omitempty"`
	Bytes        int64  `json:"bytes,omitempty"`
}

// Outcome is the last observed state and result of a run.
type Outcome struct {
	State planner.JobState `json:"state"`
	// Deleted is set if the run was deleted or replaced before it ended.
	Deleted bool `json:"deleted,omitempty"`
	// Adopted is set if another workspace adopted the job before the run ended.
	Adopted   bool       `json:"adopted,omitempty"`
	Seen      time.Time  `json:"seen"`
	Launched  *time.Time `json:"launched,omitempty"`
	Completed *time.Time `json:"completed,omitempty"`
	Attempts  int        `json:"attempts"`
	Retries   int        `json:"retries,omitempty"`
	ExitCode  *int       `json:"exit_code,omitempty"` // defined by the exit code specification
	UserCode  *int       `json:"user_code,omitempty"`
	Phrase    string     `json:"phrase,omitempty"`
	Reason    string     `json:"reason,omitempty"`
}

// Task is a task and its known attempts.
type Task struct {
	Role     string    `json:"role"`
	Index    int       `json:"index"`
	Attempts []Attempt `json:"attempts"`
}

// Attempt is one attempt of a task.
type Attempt struct {
	JobAttempt int        `json:"job_attempt"`
	Attempt    int        `json:"attempt"`
	State      string     `json:"state"`
	Started    *time.Time `json:"started,omitempty"`
	Finished   *time.Time `json:"finished,omitempty"`
	// Exit does not contain a log excerpt, because the logs are stored separately.
	Exit *exitspec.Record `json:"exit,omitempty"`
	// Metrics contains the last known metrics if no exit record was read.
	// Otherwise, Exit contains the metrics.
	Metrics map[string]float64 `json:"metrics,omitempty"`
}

// Log is the log of a task attempt. It combines the stdout and stderr of the
// commands.
type Log struct {
	Role       string `json:"role"`
	Index      int    `json:"index"`
	JobAttempt int    `json:"job_attempt"`
	Attempt    int    `json:"attempt"`
	// Step is "" for the log of the commands. If the attempt failed in an
	// earlier step, a separate Log contains the output of that step. Its Step
	// is the failed step.
	Step string `json:"step,omitempty"`
	// Directory is the directory of the log files in the workspace, or "" if Tail
	// contains the last lines.
	Directory string `json:"directory,omitempty"`
	Tail      string `json:"tail,omitempty"`
}

// Exit returns the exit record of the attempt that wrote a log, or nil if
// unknown.
func (r *Run) Exit(l Log) *exitspec.Record {
	for _, t := range r.Tasks {
		if t.Role != l.Role || t.Index != l.Index {
			continue
		}
		for _, a := range t.Attempts {
			if a.JobAttempt == l.JobAttempt && a.Attempt == l.Attempt {
				return a.Exit
			}
		}
	}
	return nil
}

// FormatError is the error for a document that cannot be decoded. Name is the file
// or object that contains the document.
type FormatError struct {
	Name    string
	Version int // 0: none
	Err     error
}

func (e *FormatError) Error() string {
	if e.Version > 0 {
		return fmt.Sprintf("read the run record %s (format version %d; this program reads version %d): %s", e.Name, e.Version, Version, e.Err)
	}
	return fmt.Sprintf("read the run record %s: %s", e.Name, e.Err)
}

// Unwrap returns the cause.
func (e *FormatError) Unwrap() error { return e.Err }

// Encode returns the run as a JSON document. Identical runs produce identical
// documents.
func (r *Run) Encode() []byte {
	r.Version = Version
	text, err := plainjson.MarshalIndent(r)
	if err != nil {
		panic("history: " + err.Error()) // decoded and resolved values can always be marshaled
	}
	return text
}

// Decode decodes a document of this version. Errors contain name, which
// identifies the file or object.
func Decode(name string, text []byte) (*Run, error) {
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, &FormatError{Name: name, Err: fmt.Errorf("it is damaged: %w", err)}
	}
	fail := func(format string, args ...any) (*Run, error) {
		return nil, &FormatError{Name: name, Version: head.Version, Err: fmt.Errorf(format, args...)}
	}
	switch {
	case head.Version > Version:
		return fail("a later version of openpai wrote it; use that version")
	case head.Version < 1:
		return fail("its format version must be at least 1, but is %d", head.Version)
	}
	r := &Run{}
	if err := json.Unmarshal(text, r); err != nil {
		return fail("it is damaged: %w", err)
	}
	if r.Number < 1 || r.Framework == "" || r.Address == "" || r.Workspace == "" {
		return fail("it is damaged: number, address, workspace or framework is missing")
	}
	for _, v := range slices.Concat([]json.RawMessage{r.Job, r.ClusterDefaults}, values(r.Variables), values(r.Locals)) {
		if len(v) > 0 && !json.Valid(v) {
			return fail("it is damaged: a value is not valid JSON")
		}
	}
	return r, nil
}

func values(variables []Variable) []json.RawMessage {
	var all []json.RawMessage
	for _, v := range variables {
		all = append(all, v.Value)
	}
	return all
}

// Resolved returns the submitted job, or nil if the record omits it.
func (r *Run) Resolved() (*resolve.Job, error) {
	if len(bytes.TrimSpace(r.Job)) == 0 || string(bytes.TrimSpace(r.Job)) == "null" {
		return nil, nil
	}
	job, err := planner.DecodeApplied(r.Job)
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", r.Reference(), err)
	}
	return job, nil
}

// Duration returns the time from the launch of the run to its end. For a
// completed run with an unknown launch time, the duration begins at the
// submission. For a run deleted or adopted before its end, the duration ends at
// the last observation by a command. If the launch or the end remains unknown,
// Duration returns false.
func (r *Run) Duration() (time.Duration, bool) {
	o := r.Outcome
	switch {
	case o == nil:
		return 0, false
	case o.Completed == nil && r.cut() && o.Launched != nil:
		return max(o.Seen.Sub(*o.Launched), 0), true
	case o.Completed == nil:
		return 0, false
	}
	from := r.Submitted
	if o.Launched != nil {
		from = *o.Launched
	}
	return max(o.Completed.Sub(from), 0), true
}

// cut reports whether the run was deleted or adopted before its end.
func (r *Run) cut() bool {
	return r.Outcome != nil && (r.Outcome.Deleted || r.Outcome.Adopted) && !r.Outcome.State.Finished()
}

// Finished reports whether the run has a final outcome.
func (r *Run) Finished() bool {
	return r.Outcome != nil && r.Outcome.State.Finished() || r.cut()
}
