// SPDX-License-Identifier: MPL-2.0

package exitspec

import (
	"regexp"
	"sync"
)

// Pattern is a condition on the input. A match identifies an entry. All parts that
// are set must match. An entry matches if one of its patterns matches.
type Pattern struct {
	// ExitCode is the code of the failed script. 0 matches any code.
	ExitCode int
	// Forwarded requires that the runtime forwarded the signal of an external
	// request to stop. Without such a request, exit code 137 comes from the user's
	// program and not from the platform.
	Forwarded bool
	// OOMKilled requires that the kernel killed a process because memory ran out.
	// ECC requires that a GPU reported uncorrectable errors.
	OOMKilled, ECC bool
	// UserLog must match in the last [Window] bytes of the user's log, and
	// RuntimeLog in the last [Window] bytes of the runtime's log.
	UserLog, RuntimeLog *Regexp

	// Pod and Container match the status reported by Kubernetes.
	Pod       *Regexp // reason of the Pod
	Container *ContainerPattern
}

// ContainerPattern matches a terminated container.
type ContainerPattern struct {
	Name     string // "" matches any
	Reason   *Regexp
	Message  *Regexp // nil matches any
	ExitCode int     // 0 matches any
}

// Regexp is a regular expression for one line. Every match contains at least one of
// the Words, which are in lower case. The scanner searches a large log for the
// words of all expressions in one pass, ignoring case.
type Regexp struct {
	Words []string
	Expr  string
	// Tail restricts a pattern that also matches logs of healthy programs to
	// the last [tailSize] bytes.
	Tail bool
	// Except rejects lines that contain this string, in lower case.
	Except string

	compiled func() *regexp.Regexp
}

// newRegexp returns a Regexp whose expression is compiled on first use.
func newRegexp(expr string, words ...string) *Regexp {
	return &Regexp{Words: words, Expr: expr, compiled: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
}

// tail returns a Regexp that matches only near the end of a log.
func tail(expr string, words ...string) *Regexp {
	t := newRegexp(expr, words...)
	t.Tail = true
	return t
}

// unless makes the Regexp reject lines that contain the string, in lower case.
func (t *Regexp) unless(words string) *Regexp {
	t.Except = words
	return t
}

// matches reports whether a short string, such as a reason, matches.
func (t *Regexp) matches(s string) bool { return t.compiled().MatchString(s) }
