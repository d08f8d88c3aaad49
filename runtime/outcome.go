package runtime

import "fmt"

// exitTimeout is what a script that was ended for its time limit counts as.
const exitTimeout = 124

// outcome is how a script or an action of the runtime ended.
type outcome struct {
	code   int    // 0 is success; 128+n for signal n
	signal string // the signal that ended the first process
	// reason continues a sentence that begins with what it was: "exited with
	// code 7".
	reason string
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
func (o *outcome) timedOut(format string, args ...any) {
	o.code, o.reason = exitTimeout, fmt.Sprintf(format, args...)
}

// reasonExpired is the reason of what the end of the task's time ended; it takes
// that time.
const reasonExpired = "did not end within the %s that the task may run"

// reasonNotStarted is the reason of what a stop came before.
const reasonNotStarted = "did not begin, because the task was asked to stop"

// failed is the outcome of an action that could not be performed.
func failed(code int, format string, args ...any) outcome {
	return outcome{code: code, reason: fmt.Sprintf(format, args...)}
}
