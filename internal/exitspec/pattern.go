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
	// Forwarded matches only if the runtime forwarded a signal after an
	// external stop request. Without a request, the user's program caused
	// exit code 137, not the platform.
	Forwarded bool
	// OOMKilled matches only if the kernel killed a process because memory ran
	// out. ECC matches only if a GPU reported uncorrectable errors.
	OOMKilled, ECC bool
	// UserLog and RuntimeLog must match in the last [Window] bytes of the
	// user's and the runtime's log.
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

// Regexp is a regular expression for one line. Every match contains at least one
// word of Words, ignoring case. Words must be in lower case. The scanner searches a
// large log once for the words of all expressions.
type Regexp struct {
	Words []string
	Expr  string
	// Tail restricts the search to the last [tailSize] bytes. It is set for
	// patterns that also match logs of healthy programs.
	Tail bool
	// If Except is not empty, a line with this text does not match, ignoring
	// case. The text must be in lower case.
	Except string

	compiled func() *regexp.Regexp
}

// newRegexp compiles the expression on first use.
func newRegexp(expr string, words ...string) *Regexp {
	return &Regexp{Words: words, Expr: expr, compiled: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
}

// tail returns a Regexp that matches only near the end of a log.
func tail(expr string, words ...string) *Regexp {
	t := newRegexp(expr, words...)
	t.Tail = true
	return t
}

// unless sets [Regexp.Except]. The argument must be in lower case.
func (t *Regexp) unless(words string) *Regexp {
	t.Except = words
	return t
}

// matches reports whether a short string, such as a reason, matches.
func (t *Regexp) matches(s string) bool { return t.compiled().MatchString(s) }
