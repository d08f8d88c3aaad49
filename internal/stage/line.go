// SPDX-License-Identifier: MPL-2.0

package stage

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/openpai/terraform-provider-openpai/internal/metrics"
	"github.com/openpai/terraform-provider-openpai/internal/printable"
)

// keyword is the start of the text of a stage line. marker identifies a stage
// line in a log, such as "[Mon Feb 1 02:54:48 UTC 2021] [openpai-runtime]
// [INFO] stage {...}".
const (
	keyword = "stage "
	marker  = "] [openpai-runtime] [INFO] " + keyword + "{"
)

// MaxText is the maximum size, in bytes, of the text of a stage line. A line
// of this size, including its prefix, fits into 1 kB.
const MaxText = 900

// maxField is the maximum size, in bytes, of each string in a record.
const maxField = 160

// Text returns the record as the text of a runtime log line. The text has at most
// [MaxText] bytes. mask hides secrets in each string of the record. Text omits the
// metrics, because metrics have a separate line.
func (r Record) Text(mask func(string) string) string {
	r.Metrics = nil
	return keyword + string(r.Safe(mask).Encode())
}

// Encode returns the record as JSON on one line.
func (r Record) Encode() []byte {
	text, err := json.Marshal(r)
	if err != nil {
		panic("stage: " + err.Error())
	}
	return text
}

// Safe returns a copy of the record. In each string of the copy, it masks
// secrets, escapes control characters and limits the length.
func (r Record) Safe(mask func(string) string) Record {
	clean := func(s string) string { return shorten(printable.Escape(mask(s))) }
	r.Version = Version
	r.Metrics = r.Metrics.Clean()
	r.Reason, r.Step, r.Event = clean(r.Reason), clean(r.Step), clean(r.Event)
	if r.Fetch != nil {
		p := *r.Fetch
		p.Source = clean(p.Source)
		r.Fetch = &p
	}
	return r
}

// shorten removes the start of a long string, because names often differ only
// at the end. shorten counts a character that JSON may escape as six bytes.
func shorten(s string) string {
	cost := func(r rune) int {
		if r == '"' || r == '\\' || r == '<' || r == '>' || r == '&' || r < ' ' || r == '\u2028' || r == '\u2029' {
			return 6
		}
		return utf8.RuneLen(r)
	}
	size := 0
	for i := len(s); i > 0; {
		r, n := utf8.DecodeLastRuneInString(s[:i])
		if size += cost(r); size > maxField {
			return "…" + s[i:]
		}
		i -= n
	}
	return s
}

// IsLine reports whether a log line contains a stage record.
func IsLine(line []byte) bool {
	return bytes.HasPrefix(line, []byte("[")) && bytes.Contains(line, []byte(marker))
}

// ParseLine returns the record in a log line. ok is false if the record is
// missing, is invalid or has an unknown version.
func ParseLine(line []byte) (r Record, ok bool) {
	if !IsLine(line) {
		return Record{}, false
	}
	_, text, _ := bytes.Cut(line, []byte(marker))
	return Parse(append([]byte("{"), text...))
}

// Parse parses a record. Any program may have written the record, so Parse escapes
// control characters in its strings.
func Parse(text []byte) (r Record, ok bool) {
	if json.Unmarshal(text, &r) != nil || r.Version != Version || !names[r.Stage] {
		return Record{}, false
	}
	if r.Number < 0 || r.Count < 0 || r.Ready < 0 || r.Tasks < 0 || r.Since.After(time.Now().Add(maxSkew)) {
		return Record{}, false
	}
	return r.Safe(strings.Clone), true
}

// maxSkew is the maximum tolerated difference between the clocks of two
// machines.
const maxSkew = time.Hour

// Last returns the record of the last stage line in a log, or nil without a
// stage line.
func Last(log []byte) *Record {
	for len(log) > 0 {
		start := bytes.LastIndexByte(log[:len(log)-1], '\n') + 1
		if r, ok := ParseLine(log[start:]); ok {
			return &r
		}
		log = log[:start]
	}
	return nil
}

// Strip removes stage lines and metrics lines from a log.
func Strip(log []byte) []byte {
	kept := make([]byte, 0, len(log))
	for line := range bytes.Lines(log) {
		if !IsLine(line) && !metrics.IsLine(line) {
			kept = append(kept, line...)
		}
	}
	return kept
}
