// SPDX-License-Identifier: MPL-2.0

package exitspec

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/metrics"
)

// Input describes a task that ended.
type Input struct {
	// ExitCode is the exit code of the script that determined the result, or
	// 128+n for signal n.
	ExitCode int
	// Forwarded is set if the runtime forwarded the signal after an external
	// stop request.
	Forwarded bool
	// OOMKilled is set if the kernel killed a process because memory ran out. ECC
	// is set if a GPU reported uncorrectable errors.
	OOMKilled, ECC bool
	// UserLog is the log of the user's commands, and RuntimeLog is the log of
	// the runtime. Only the last [Window] bytes of a log are required.
	UserLog, RuntimeLog []byte
	// Pod is the status reported by Kubernetes, or nil inside a container.
	Pod *PodState
	// Extension contains the cluster operator's rules, or is nil.
	Extension *Extension
}

// PodState is the part of a Pod's status that patterns match.
type PodState struct {
	Reason, Message string
	Containers      []ContainerState
}

// ContainerState is a terminated container.
type ContainerState struct {
	Name, Reason, Message string
	ExitCode              int
}

// Match is the entry that explains how a task ended.
type Match struct {
	Entry Entry
	// Code is the container's exit code: the code of Entry, or CodeUnknown if
	// that code is not from 0 to 255.
	Code int
	// UserLine and RuntimeLine are the matching lines, if any.
	UserLine, RuntimeLine string

	user, runtime *span // positions in the last [Window] bytes of the input's logs
	ecc           bool
}

// maxQuote is the maximum length of a line quoted in a reason, in bytes.
const maxQuote = 200

// Quote returns at most 200 bytes of the matching line, or "" if no line
// matched.
func (m *Match) Quote() string {
	return truncate(strings.TrimSpace(cmp.Or(m.UserLine, m.RuntimeLine)), maxQuote)
}

// Analyze returns the entry for a task that ended. The result is the first entry
// with a matching pattern, or else the entry for CodeUnknown. Without a Pod
// status, exit code 0 is success regardless of the logs. Analyze scans each log
// once.
func Analyze(in Input) Match {
	if in.ExitCode == 0 && in.Pod == nil {
		entry, _ := Lookup(CodeSucceeded)
		return Match{Entry: entry, Code: CodeSucceeded}
	}
	a := &analysis{Input: in}
	a.UserLog, a.RuntimeLog = window(in.UserLog), window(in.RuntimeLog)
	a.userHits = userScanner().scan(a.UserLog)
	a.runtimeHits = runtimeScanner().scan(a.RuntimeLog)
	entries := entries
	if x := in.Extension; x != nil {
		maps.Copy(a.userHits, x.user.search(a.UserLog))
		maps.Copy(a.runtimeHits, x.runtime.search(a.RuntimeLog))
		entries = slices.Concat(x.first, entries, x.last)
	}
	for _, e := range entries {
		for i := range e.Patterns {
			if m, ok := a.match(&e.Patterns[i]); ok {
				m.Entry, m.Code = e, containerCode(e.Code)
				return m
			}
		}
	}
	entry, _ := Lookup(CodeUnknown)
	return Match{Entry: entry, Code: CodeUnknown, ecc: in.ECC}
}

// containerCode returns [CodeUnknown] for codes outside 0 to 255.
func containerCode(code int) int {
	if code < 0 || code > 255 {
		return CodeUnknown
	}
	return code
}

// window returns the last [Window] bytes of a log.
func window(log []byte) []byte { return log[max(0, len(log)-Window):] }

type analysis struct {
	Input
	userHits, runtimeHits map[*Regexp]*hits
}

// match reports a match only if every part of the pattern matches.
func (a *analysis) match(p *Pattern) (Match, bool) {
	m := Match{ecc: a.ECC}
	switch {
	case p.ExitCode != 0 && p.ExitCode != a.ExitCode,
		p.Forwarded && !a.Forwarded,
		p.OOMKilled && !a.OOMKilled,
		p.ECC && !a.ECC,
		p.Pod != nil && (a.Pod == nil || !p.Pod.matches(a.Pod.Reason)),
		p.Container != nil && !a.Pod.has(p.Container):
		return m, false
	}
	if p.UserLog != nil {
		line, ok := a.userHits[p.UserLog].find(p.UserLog, a.UserLog)
		if !ok {
			return m, false
		}
		m.user, m.UserLine = &line, sanitize(a.UserLog[line.start:line.end])
	}
	if p.RuntimeLog != nil {
		line, ok := a.runtimeHits[p.RuntimeLog].find(p.RuntimeLog, a.RuntimeLog)
		if !ok {
			return m, false
		}
		m.runtime, m.RuntimeLine = &line, sanitize(a.RuntimeLog[line.start:line.end])
	}
	return m, true
}

// has reports whether any container in the Pod status matches p.
func (s *PodState) has(p *ContainerPattern) bool {
	if s == nil {
		return false
	}
	for _, c := range s.Containers {
		if (p.Name == "" || p.Name == c.Name) &&
			(p.ExitCode == 0 || p.ExitCode == c.ExitCode) &&
			(p.Reason == nil || p.Reason.matches(c.Reason)) &&
			(p.Message == nil || p.Message.matches(c.Message)) {
			return true
		}
	}
	return false
}

// Record is the exit record of a task. The runtime writes the record
// atomically: the file is either absent or complete.
type Record struct {
	Framework string `json:"framework"`
	Role      string `json:"role"`
	Index     int    `json:"index"`
	Attempt   int    `json:"attempt"`

	// Code is the container's exit code according to the specification.
	Code int `json:"code"`
	// UserCode is the exit code of the user's commands or of the failed
	// callback. If signal n ended them, UserCode is 128+n.
	UserCode int    `json:"user_code"`
	Signal   string `json:"signal,omitempty"`

	Phrase   string `json:"phrase"`             // "Succeeded", "PAIRuntimeUnknownFailed"
	Behavior string `json:"behavior,omitempty"` // TRANSIENT, PERMANENT, UNKNOWN
	// Reason describes the result in one sentence: "the user's commands exited
	// with code 7".
	Reason string `json:"reason"`
	// Stage is the stage in which the task ended: "init", "prerequisites",
	// "commands" or "end callbacks".
	Stage string `json:"stage"`
	Step  string `json:"step,omitempty"` // prerequisite (address) or plugin (name) that determined the result, or ""
	// Hint is the recommended action. Advice is a sentence that replaces the hint.
	// Advice comes from the cluster operator, or from an older version of openpai
	// without hints.
	Hint   Hint   `json:"hint,omitempty"`
	Advice string `json:"advice,omitempty"`
	// Stopped is set if an external request stopped the task.
	Stopped bool `json:"stopped,omitempty"`

	// Metrics are the last values that the task reported.
	Metrics metrics.Values `json:"metrics,omitempty"`
	// CPUSeconds and PeakMemoryBytes are the resource usage of the task, or 0
	// without a measurement.
	CPUSeconds      float64 `json:"cpu_seconds,omitempty"`
	PeakMemoryBytes int64   `json:"peak_memory_bytes,omitempty"`

	// Fetched contains up to MaxFetched files that the task fetched. The
	// termination message contains only the first files, because its size is
	// limited.
	Fetched []Fetched `json:"fetched,omitempty"`

	LastLines []string  `json:"last_lines,omitempty"` // redacted
	Started   time.Time `json:"started"`
	Finished  time.Time `json:"finished"`
}

// BeforeCommands reports whether the task failed before its commands started.
// If so, the runtime's log contains the cause.
func (r *Record) BeforeCommands() bool {
	return r.Code != 0 && !r.Stopped && (r.Stage == "init" || r.Stage == "prerequisites")
}
