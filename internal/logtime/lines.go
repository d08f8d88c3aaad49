package logtime

import (
	"bytes"
	"io"
	"time"
)

// layout is RFC 3339 in UTC with milliseconds, which has one width.
const layout = "2006-01-02T15:04:05.000Z"

// Width is the width of a stamp with the space after it.
const Width = len(layout) + 1

// Stamp returns what is before a line that was written at a time; the zero
// time is one that is not known.
func Stamp(at time.Time) string {
	if at.IsZero() {
		return "-" + string(bytes.Repeat([]byte(" "), Width-1))
	}
	return at.UTC().Format(layout) + " "
}

// Lines passes on the lines of a log that were written since a time, and puts
// their times before them. A line whose time is not known passes.
type Lines struct {
	Out   io.Writer
	Since time.Time // zero: all
	Stamp bool      // whether the times are put before the lines

	index   *Index
	at      time.Time
	offset  int64 // in the log, of what comes next
	within  bool  // whether that is within a line or after a carriage return
	pass    bool  // whether what is within passes
	stamped bool  // whether something of the line has passed
}

// Follow begins another log file, whose index it is. A line may continue from the
// file before.
func (l *Lines) Follow(index *Index) { l.index, l.offset = index, 0 }

// SetTime sets the time of the lines that are written from now on; the zero time
// is one that is not known.
func (l *Lines) SetTime(at time.Time) { l.at = at }

// Write implements io.Writer.
func (l *Lines) Write(p []byte) (int, error) {
	if l.Since.IsZero() && !l.Stamp {
		return l.Out.Write(p)
	}
	var out []byte
	for rest := p; len(rest) > 0; {
		part := rest
		if end := bytes.IndexAny(rest, "\r\n") + 1; end > 0 {
			part = rest[:end]
		}
		rest = rest[len(part):]
		out = l.add(out, part)
		l.offset += int64(len(part))
	}
	if _, err := l.Out.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// add appends what passes of a part of a line. What follows a carriage return was
// written over the line, with its own time.
func (l *Lines) add(out, part []byte) []byte {
	if !l.within {
		if l.index != nil {
			l.at = l.index.At(l.offset)
		}
		l.pass = l.stamped || l.at.IsZero() || !l.at.Before(l.Since)
	}
	if l.pass {
		if l.Stamp && !l.stamped {
			out = append(out, Stamp(l.at)...)
		}
		out = append(out, part...)
		l.stamped = true
	}
	last := part[len(part)-1]
	l.within = last != '\n' && last != '\r'
	if last == '\n' {
		l.stamped = false
	}
	return out
}
