package runtime

import (
	"fmt"
	"time"
)

// exitTimeout is what a script that was ended for its time limit counts as.
const exitTimeout = 124

// outcome is how a script or an action of the runtime ended.
type outcome struct {
	code   int    // 0 is success; 128+n for signal n
	signal string // the signal that ended the first process
	reason predicate
	// stopped: ended, or not begun, because the task was asked to stop.
	stopped bool
	// expired: the time of the whole task was over.
	expired bool
	lines   []string // the end of what it printed
	// record is the exit code of the specification, where it is known.
	record int
}

func (o outcome) ok() bool { return o.code == 0 && !o.stopped }

// final reports that it would not help to try again.
func (o outcome) final() bool { return o.ok() || o.stopped || o.expired }

// timedOut says which time was over when the script still ran.
func (o *outcome) timedOut(reason predicate) { o.code, o.reason = exitTimeout, reason }

// failed is the outcome of an action that could not be performed.
func failed(code int, format string, args ...any) outcome {
	return outcome{code: code, reason: did(format, args...)}
}

// predicate is the rest of a sentence whose subject ended: "exited with code 7",
// "was killed". The zero value is empty.
type predicate struct {
	passive bool
	text    string // after "was" or "were" where it is passive
}

// did is the predicate of a verb that is the same for one subject and several.
func did(format string, args ...any) predicate {
	return predicate{text: fmt.Sprintf(format, args...)}
}

// was is the predicate of a subject that something was done to.
func was(format string, args ...any) predicate {
	return predicate{passive: true, text: fmt.Sprintf(format, args...)}
}

// String returns the words after one subject.
func (p predicate) String() string {
	if p.passive {
		return "was " + p.text
	}
	return p.text
}

// plural returns the words after several subjects.
func (p predicate) plural() string {
	if p.passive {
		return "were " + p.text
	}
	return p.text
}

// expiredAfter is the reason of what the end of the task's time ended.
func expiredAfter(d time.Duration) predicate {
	return did("did not end within the %s that the task may run", d)
}

// notStarted is the outcome of what a stop came before.
var notStarted = outcome{stopped: true, reason: did("did not begin, because the task was asked to stop")}
