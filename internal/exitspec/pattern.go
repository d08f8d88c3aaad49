package exitspec

import (
	"regexp"
	"sync"
)

// Pattern recognises an entry in what is known of a failed task. All parts
// that are set must hold; one pattern of an entry is enough.
type Pattern struct {
	// ExitCode is the code of the script that failed; 0 is any.
	ExitCode int
	// Forwarded asks that the runtime passed the signal on. A program that
	// exits with 137 by itself is the user's, not the platform's.
	Forwarded bool
	// OOMKilled asks that the kernel killed a process for lack of memory, ECC
	// that a GPU reported uncorrectable errors.
	OOMKilled, ECC bool
	// UserLog and RuntimeLog must be found in the tail of that log.
	UserLog, RuntimeLog *Text

	// Pod and Container are about what Kubernetes reports.
	Pod       *Text // reason of the Pod
	Container *ContainerPattern
}

// ContainerPattern recognises a terminated container.
type ContainerPattern struct {
	Name     string // "" is any
	Reason   *Text
	Message  *Text // nil is any
	ExitCode int   // 0 is any
}

// Text is a regular expression over one line with words that every match of it
// contains, so that a large log is searched for plain words in one pass.
// Words are in lower case and compared without regard to case; one of them is
// enough.
type Text struct {
	Words []string
	Expr  string
	// Tail restricts a text that also stands in logs of healthy programs to
	// the last [tailSize] bytes.
	Tail bool
	// Except refuses lines that contain these words.
	Except string

	compiled func() *regexp.Regexp
}

// text makes a Text whose expression is compiled when it is first needed.
func text(expr string, words ...string) *Text {
	return &Text{Words: words, Expr: expr, compiled: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
}

// tail makes a Text that counts near the end of a log only.
func tail(expr string, words ...string) *Text {
	t := text(expr, words...)
	t.Tail = true
	return t
}

// unless makes the Text refuse lines that contain the words.
func (t *Text) unless(words string) *Text {
	t.Except = words
	return t
}

// matches reports whether a short text, such as a reason, matches.
func (t *Text) matches(s string) bool { return t.compiled().MatchString(s) }
