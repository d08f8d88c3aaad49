package exitspec

import (
	"regexp"
	"sync"
)

// Pattern recognizes an entry in what is known of a failed task. All parts
// that are set must hold; one pattern of an entry is enough.
type Pattern struct {
	// ExitCode is the code of the script that failed; 0 is any.
	ExitCode int
	// Forwarded asks that the runtime passed the signal on. A program that
	// exits with 137 on its own is the user's, not the platform's.
	Forwarded bool
	// OOMKilled asks that the kernel killed a process for lack of memory, ECC
	// that a GPU reported uncorrectable errors.
	OOMKilled, ECC bool
	// UserLog and RuntimeLog must be found in the tail of that log.
	UserLog, RuntimeLog *Regexp

	// Pod and Container are about what Kubernetes reports.
	Pod       *Regexp // reason of the Pod
	Container *ContainerPattern
}

// ContainerPattern recognizes a terminated container.
type ContainerPattern struct {
	Name     string // "" is any
	Reason   *Regexp
	Message  *Regexp // nil is any
	ExitCode int     // 0 is any
}

// Regexp is a regular expression over one line with words that every match of it
// contains, so that a large log is searched for plain words in one pass.
// Words are in lower case and compared without regard to case; one of them is
// enough.
type Regexp struct {
	Words []string
	Expr  string
	// Tail restricts a text that also is in logs of healthy programs to
	// the last [tailSize] bytes.
	Tail bool
	// Except refuses lines that contain these words.
	Except string

	compiled func() *regexp.Regexp
}

// newRegexp returns a Regexp whose expression is compiled when it is first needed.
func newRegexp(expr string, words ...string) *Regexp {
	return &Regexp{Words: words, Expr: expr, compiled: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
}

// tail returns a Regexp that counts near the end of a log only.
func tail(expr string, words ...string) *Regexp {
	t := newRegexp(expr, words...)
	t.Tail = true
	return t
}

// unless makes the Regexp refuse lines that contain the words.
func (t *Regexp) unless(words string) *Regexp {
	t.Except = words
	return t
}

// matches reports whether a short text, such as a reason, matches.
func (t *Regexp) matches(s string) bool { return t.compiled().MatchString(s) }
