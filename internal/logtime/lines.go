// SPDX-License-Identifier: MPL-2.0

package logtime

import (
	"bytes"
	"io"
	"time"
)

// layout is RFC 3339 in UTC with milliseconds. Its width is fixed.
const layout = "2006-01-02T15:04:05.000Z"

// Width is the width of a stamp, including the trailing space.
const Width = len(layout) + 1

// Stamp returns the prefix of a line that was written at the given time. The
// zero time means unknown.
func Stamp(at time.Time) string {
	if at.IsZero() {
		return "-" + string(bytes.Repeat([]byte(" "), Width-1))
	}
	return at.UTC().Format(layout) + " "
}

// Lines is a filter for the lines of a log. It writes lines from a given time
// onward and lines whose time is unknown. It can prefix lines with their
// times.
type Lines struct {
	Out   io.Writer
	Since time.Time // zero: all
	Stamp bool      // whether to prefix lines with their times

	index   *Index
	at      time.Time
	offset  int64 // offset of the next byte in the log
	within  bool  // whether offset is inside a line, or inside a segment after a carriage return
	pass    bool  // whether the current segment is kept
	stamped bool  // whether a part of the current line was kept
}

// Follow switches to the next log file and its index. The file may continue a line of
// the previous file.
func (l *Lines) Follow(index *Index) { l.index, l.offset = index, 0 }

// SetTime sets the time of the lines that are added after this call. The zero time
// means unknown.
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

// add appends part to out unless Since excludes it. The text after a carriage
// return overwrites the line and therefore has a separate time.
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
