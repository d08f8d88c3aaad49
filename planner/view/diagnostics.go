// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// DiagnosticOptions configures how diagnostics are shown.
type DiagnosticOptions struct {
	// Phrase returns the text for a fact in a diagnostic.
	Phrase message.Phrase
	Color  bool
	// Width is the column at which sentences are wrapped; 0 means no wrapping.
	Width int
	// Mask hides secret values in a source line. Callers set nil if the lines
	// cannot contain secret values.
	Mask func(line string) string
	// Detail shows each diagnostic separately, including diagnostics of the
	// same kind.
	Detail bool
}

// maxDiagnostics is the maximum number of errors that are shown. The limit is
// necessary because a generated file can have any number of errors.
const maxDiagnostics = 1000

// maxSnippet is the maximum number of source lines that are shown for one
// diagnostic.
const maxSnippet = 6

// Diagnostics writes diagnostics for users. The output shows the kind, position,
// marked source lines and required action. It writes errors last, because the
// end of the output is most visible. It combines identical diagnostics from
// for_each instances. It writes only the first few warnings of each kind. files
// maps the file names in positions to the file contents. Diagnostics in files
// that are not in the map are shown without source lines.
func Diagnostics(w io.Writer, diags hcl.Diagnostics, files map[string][]byte, o DiagnosticOptions) error {
	t := &text{palette: palette(o.Color), o: TextOptions{Width: o.Width}}
	source := sources(files)
	fold, limit := foldInstances, maxAlike
	if o.Detail {
		fold, limit = separately, everyOne
	}
	warnings, more, errors := alike(fold(hclspec.Phrased(diags, o.Phrase)), limit)
	for _, d := range warnings {
		t.diagnostic(d, source, o.Mask)
	}
	for _, m := range more {
		t.sentence(0, t.warning, fmt.Sprintf("%d more of this kind: %s [%s]", len(m.warnings), m.summary, m.code))
		t.blank()
	}
	for _, d := range errors[:min(len(errors), maxDiagnostics)] {
		t.diagnostic(d, source, o.Mask)
	}
	if more := len(errors) - maxDiagnostics; more > 0 {
		t.line(0, fmt.Sprintf("%d more errors.", more))
	}
	_, err := w.Write(t.out.Bytes())
	return err
}

// sources returns a function that maps a file name to lines. The function splits
// each file only once.
func sources(files map[string][]byte) func(name string) []string {
	split := map[string][]string{}
	return func(name string) []string {
		if _, known := split[name]; !known && len(files[name]) > 0 {
			split[name] = strings.Split(string(files[name]), "\n")
		}
		return split[name]
	}
}

func (t *text) diagnostic(d *folded, source func(string) []string, mask func(string) string) {
	kind := t.failure("Error")
	if d.Severity == hcl.DiagWarning {
		kind = t.warning("Warning")
	}
	head := kind + ": " + t.bold(clean(d.Summary))
	if code := hclspec.Code(d.Diagnostic); code != "" {
		head += t.dim(" [" + code + "]")
	}
	t.line(0, head)
	if d.Subject != nil {
		t.line(1, "at "+clean(place(*d.Subject)))
		t.snippet(*d.Subject, source(d.Subject.Filename), mask)
	}
	t.blank()
	for _, paragraph := range lines(d.Detail) {
		t.sentence(1, plainly, paragraph)
	}
	t.others(d)
	t.blank()
}

func plainly(s string) string { return s }

// maxDetails is the maximum number of details that are shown for one position.
const maxDetails = maxValues

// others prints the instances with the same diagnostic. It also prints the
// different details of other diagnostics at the same position.
func (t *text) others(d *folded) {
	for _, instances := range d.instances() {
		t.sentence(1, t.dim, instances)
	}
	shown := min(len(d.details), maxDetails-1)
	for _, detail := range d.details[:shown] {
		t.sentence(1, plainly, detail)
	}
	if more := d.detailIn[shown:]; len(more) > 0 {
		place := "at this place"
		if in := slices.Compact(slices.DeleteFunc(slices.Clone(more), func(a hclspec.Address) bool { return a == "" })); len(in) > 0 {
			place += ", in " + Jobs(in)
		}
		t.sentence(1, t.dim, fmt.Sprintf("%s %s.", quantity.Count(len(more), "more problem"), place))
	}
}

// place returns file:line:column, which editors can open.
func place(r hcl.Range) string {
	return fmt.Sprintf("%s:%d:%d", r.Filename, r.Start.Line, r.Start.Column)
}

// snippet prints the lines of a range and marks the range below each line.
func (t *text) snippet(r hcl.Range, source []string, mask func(string) string) {
	if r.Start.Line < 1 || r.Start.Line > len(source) {
		return
	}
	last := min(max(r.End.Line, r.Start.Line), len(source), r.Start.Line+maxSnippet-1)
	width := len(strconv.Itoa(last))
	t.blank()
	for n := r.Start.Line; n <= last; n++ {
		line := strings.TrimSuffix(source[n-1], "\r")
		if len(line) > maxSource {
			continue // the header already shows the position
		}
		from, to := marked(r, n, line)
		shown := line
		if mask != nil {
			shown = mask(line)
		}
		same := shown == line
		if !same {
			from, to = 0, 0
		}
		line, from, to = window(shown, from, to)
		t.line(1, fmt.Sprintf("%*d | %s", width, n, clean(line)))
		if same && to > from {
			under := blanks(line[:from]) + strings.Repeat("^", max(utf8.RuneCountInString(clean(line[from:to])), 1))
			t.line(1, strings.Repeat(" ", width)+" | "+t.failure(under))
		}
	}
}

// maxLine is the maximum length, in bytes, of a line that is shown completely. If a
// line is longer, only the part around the mark is shown.
const maxLine = 240

// maxSource is the maximum length, in bytes, of a source line. Longer lines are not
// shown. The limit is necessary because locating a column requires reading the
// line.
const maxSource = 64 << 10

// window returns the part of a long line around the mark, cut at character
// boundaries. The parameters from and to, and the integer results, are the
// byte positions of the mark.
func window(line string, from, to int) (string, int, int) {
	const cut, before = "...", 60
	if len(line) <= maxLine {
		return line, from, to
	}
	start := max(0, from-before)
	end := min(len(line), start+maxLine)
	for start < from && !utf8.RuneStart(line[start]) {
		start++
	}
	for end < len(line) && end > start && !utf8.RuneStart(line[end]) {
		end--
	}
	head, tail := "", ""
	if start > 0 {
		head = cut
	}
	if end < len(line) {
		tail = cut
	}
	shift := len(head) - start
	return head + line[start:end] + tail, from + shift, min(to, end) + shift
}

// marked returns the part of a line in the range, without leading and trailing
// spaces. The results are byte positions, whereas the columns of a range count
// visible characters.
func marked(r hcl.Range, n int, line string) (from, to int) {
	from, to = 0, len(line)
	if n == r.Start.Line {
		from = columnByte(line, r.Start.Column)
	}
	if n == r.End.Line {
		to = columnByte(line, r.End.Column)
	}
	if n == r.Start.Line && to <= from {
		to = min(from+1, len(line)) // mark one character for an empty range
	}
	for from < to && (line[from] == ' ' || line[from] == '\t') {
		from++
	}
	for to > from && (line[to-1] == ' ' || line[to-1] == '\t') {
		to--
	}
	return from, to
}

// columnByte counts runes, although HCL counts a combined character as one
// column. In lines with combining characters, which are rare, the mark may be
// slightly off.
func columnByte(line string, column int) int {
	n := 1
	for i := range line {
		if n == column {
			return i
		}
		n++
	}
	return len(line)
}

// blanks replaces all characters except tabs with spaces.
func blanks(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, clean(text))
}
