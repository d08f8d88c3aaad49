package exitspec

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/metrics"
)

// Input is what is known of a task that ended.
type Input struct {
	// ExitCode is that of the script that decided, 128+n for signal n.
	ExitCode int
	// Forwarded says that the runtime itself passed the signal on, because it
	// received a request to stop from outside.
	Forwarded bool
	// OOMKilled says that the kernel killed a process for lack of memory, ECC
	// that a GPU reported uncorrectable errors.
	OOMKilled, ECC bool
	// UserLog and RuntimeLog are the logs, or their ends of at least [Window]
	// bytes.
	UserLog, RuntimeLog []byte
	// Pod is what Kubernetes reports; nil inside a container.
	Pod *PodState
	// Extension holds the entries of the cluster's operator; nil: none.
	Extension *Extension
}

// PodState is the part of a Pod's status that entries are recognized by.
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
	// Code is what the container exits with: the code of the entry, or
	// CodeUnknown when no container can exit with that.
	Code int
	// UserLine and RuntimeLine are the lines that decided, if any.
	UserLine, RuntimeLine string

	user, runtime *span // in the logs of the input, cut to the window
	ecc           bool
}

// maxQuote bounds the line that a reason quotes, in bytes.
const maxQuote = 200

// Quote returns the line that decided, shortened, "" when none did.
func (m *Match) Quote() string {
	return truncate(strings.TrimSpace(cmp.Or(m.UserLine, m.RuntimeLine)), maxQuote)
}

// Analyze finds the entry for a task that ended: the first one of which a
// pattern matches, else that of CodeUnknown. Exit code 0 is success whatever
// the logs say. It reads each log once.
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

// containerCode returns the code that a container exits with for an entry.
func containerCode(code int) int {
	if code < 0 || code > 255 {
		return CodeUnknown
	}
	return code
}

// window returns the end of a log that is searched.
func window(log []byte) []byte { return log[max(0, len(log)-Window):] }

type analysis struct {
	Input
	userHits, runtimeHits map[*Regexp]*hits
}

// match reports whether every part of a pattern holds.
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

// has reports whether some container matches.
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

// Record is what a task leaves when it ends. It is written atomically: absent
// or complete.
type Record struct {
	Framework string `json:"framework"`
	Role      string `json:"role"`
	Index     int    `json:"index"`
	Attempt   int    `json:"attempt"`

	// Code is what the container exits with: the code of the specification.
	Code int `json:"code"`
	// UserCode is the exit code of the script that decided: the user's
	// commands, or the callback that failed. 128+n for signal n.
	UserCode int    `json:"user_code"`
	Signal   string `json:"signal,omitempty"`

	Phrase   string `json:"phrase"`             // "Succeeded", "PAIRuntimeUnknownFailed"
	Behavior string `json:"behavior,omitempty"` // TRANSIENT, PERMANENT, UNKNOWN
	// Reason says in one sentence what happened: "the user's commands exited
	// with code 7".
	Reason string `json:"reason"`
	// Stage is where it happened: "init", "prerequisites", "commands",
	// "end callbacks".
	Stage string `json:"stage"`
	Step  string `json:"step,omitempty"` // address of the prerequisite, if one decided
	// Hint says what to do. Advice says it in words: those of the operator of the
	// cluster, or of a version that stored no hints.
	Hint   Hint   `json:"hint,omitempty"`
	Advice string `json:"advice,omitempty"`
	// Stopped says that the task was asked to stop from outside.
	Stopped bool `json:"stopped,omitempty"`

	// Metrics are the last values that the task reported.
	Metrics metrics.Values `json:"metrics,omitempty"`
	// CPUSeconds and PeakMemoryBytes are what the processes of the task used; 0
	// where the system does not count it.
	CPUSeconds      float64 `json:"cpu_seconds,omitempty"`
	PeakMemoryBytes int64   `json:"peak_memory_bytes,omitempty"`

	// Fetched are the files that the task fetched, at most MaxFetched. The
	// termination message has no room for them.
	Fetched []Fetched `json:"fetched,omitempty"`

	LastLines []string  `json:"last_lines,omitempty"` // redacted
	Started   time.Time `json:"started"`
	Finished  time.Time `json:"finished"`
}

// MaxFetched bounds [Record.Fetched].
const MaxFetched = 64

// Fetched is a file that a task fetched. SHA256 is "" where nothing asked for it.
type Fetched struct {
	Step   string `json:"step"`
	URL    string `json:"url"` // as declared, without values of secrets
	SHA256 string `json:"sha256,omitempty"`
	Bytes  int64  `json:"bytes"`
}

// BeforeCommands reports whether the task failed before its commands began, so
// that the runtime's log has the cause.
func (r *Record) BeforeCommands() bool {
	return r.Code != 0 && !r.Stopped && (r.Stage == "init" || r.Stage == "prerequisites")
}
