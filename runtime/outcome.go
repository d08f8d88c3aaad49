// SPDX-License-Identifier: MPL-2.0

package runtime

import (
	"fmt"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
)

// exitTimeout is the exit code of a script that exceeded its timeout.
const exitTimeout = 124

// outcome is the result of a script or of a runtime action.
type outcome struct {
	code   int    // 0 is success; 128+n for signal n
	signal string // the signal that ended the first process
	reason predicate
	// stopped is set if a stop request ended the script or action, or prevented
	// its start.
	stopped bool
	// expired is set if the task reached its time limit.
	expired bool
	// timeout is set if the script exceeded a time limit.
	timeout bool
	// lastTry is set if another attempt is not permitted.
	lastTry bool
	lines   []string // the last lines of output
	// record is the outcome's code in the exit specification, or 0 if this
	// code is not known.
	record int
	// hint, if set, replaces the hint for the code.
	hint exitspec.Hint
}

func (o outcome) ok() bool { return o.code == 0 && !o.stopped }

// final reports whether another attempt is useless or not permitted.
func (o outcome) final() bool { return o.ok() || o.stopped || o.expired || o.lastTry }

// timedOut records that the script exceeded a time limit.
func (o *outcome) timedOut(reason predicate) {
	o.code, o.reason, o.timeout = exitTimeout, reason, true
}

// failed returns the outcome of an action that could not be performed.
func failed(code int, format string, args ...any) outcome {
	return outcome{code: code, reason: did(format, args...)}
}

// predicate is a verb phrase that describes the outcome of a part of the
// task, such as "exited with code 7" or "was killed". The zero value is
// empty.
type predicate struct {
	passive bool
	text    string // verb phrase; follows "was" or "were" if passive
}

// did returns a predicate whose verb has the same form for singular and plural.
func did(format string, args ...any) predicate {
	return predicate{text: fmt.Sprintf(format, args...)}
}

// was returns a predicate whose text follows "was" or "were".
func was(format string, args ...any) predicate {
	return predicate{passive: true, text: fmt.Sprintf(format, args...)}
}

// String returns the predicate for a singular subject, such as "was killed".
func (p predicate) String() string {
	if p.passive {
		return "was " + p.text
	}
	return p.text
}

// plural returns the predicate for a plural subject, such as "were killed".
func (p predicate) plural() string {
	if p.passive {
		return "were " + p.text
	}
	return p.text
}

// expiredAfter returns the reason for a task that reached its time limit.
func expiredAfter(d time.Duration) predicate {
	return did("did not end within the task's time limit of %s", d)
}

// notStarted is the outcome of an action that a stop prevented.
var notStarted = outcome{stopped: true, reason: did("did not start, because the task received a stop request")}
