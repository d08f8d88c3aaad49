// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"
	"regexp"
	"strings"
)

// nativePrinter writes blocks in native syntax. Format adds the indentation,
// except in heredocs, which it does not change.
type nativePrinter struct {
	out   strings.Builder
	depth int
}

func (p *nativePrinter) line(s string) {
	if s != "" {
		p.out.WriteString(strings.Repeat("  ", p.depth))
	}
	p.out.WriteString(s + "\n")
}

func (p *nativePrinter) file(blocks []*block, above, below []string) {
	p.lines(above)
	for i, b := range blocks {
		if i > 0 || len(above) > 0 {
			p.line("")
		}
		p.block(b)
	}
	if len(below) > 0 {
		p.line("")
		p.lines(below)
	}
}

func (p *nativePrinter) lines(all []string) {
	for _, s := range all {
		p.line(s)
	}
}

func (p *nativePrinter) block(b *block) {
	p.lines(b.above)
	header := b.name
	for _, l := range b.labels {
		header += " " + quote(l)
	}
	if len(b.attributes)+len(b.blocks) == 0 {
		p.line(header + " {}")
		return
	}
	p.line(header + " {")
	p.depth++
	for _, a := range b.attributes {
		p.lines(a.above)
		p.line(a.name + " = " + p.value(a.value) + a.trailing())
	}
	for i, nested := range b.blocks {
		if i > 0 || len(b.attributes) > 0 {
			p.line("")
		}
		p.block(nested)
	}
	p.depth--
	p.line("}")
}

// value returns native syntax that starts on the current line.
func (p *nativePrinter) value(v value) string {
	switch v := v.(type) {
	case expression:
		return string(v)
	case address:
		return string(v)
	case literal:
		return string(v)
	case template:
		return p.template(v)
	case list:
		return p.list(v)
	case object:
		return p.object(v)
	}
	panic(fmt.Sprintf("syntax: a value of type %T", v))
}

// maxInline is the maximum length of a list or object on one line.
const maxInline = 60

func (p *nativePrinter) list(elements list) string {
	written := make([]string, len(elements))
	commented := false
	p.nested(func() {
		for i, e := range elements {
			written[i] = p.value(e.value)
			commented = commented || e.hasComments()
		}
	})
	if line := strings.Join(written, ", "); len(line) <= maxInline && !strings.Contains(line, "\n") && !commented {
		return "[" + line + "]"
	}
	var b strings.Builder
	b.WriteString("[\n")
	indent := strings.Repeat("  ", p.depth+1)
	for i, e := range written {
		for _, comment := range elements[i].above {
			b.WriteString(indent + comment + "\n")
		}
		if strings.HasPrefix(e, "<<") {
			e += "\n" + indent // the end marker of a heredoc must be on a separate line
		}
		b.WriteString(indent + e + "," + elements[i].trailing() + "\n")
	}
	return b.String() + strings.Repeat("  ", p.depth) + "]"
}

func (p *nativePrinter) nested(f func()) {
	p.depth++
	defer func() { p.depth-- }()
	f()
}

var bareKey = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]*$`)

func (p *nativePrinter) object(o object) string {
	if len(o) == 0 {
		return "{}"
	}
	written := make([]string, len(o))
	commented := false
	p.nested(func() {
		for i, a := range o {
			written[i] = objectKey(a.name) + " = " + p.value(a.value)
			commented = commented || a.hasComments()
		}
	})
	if line := strings.Join(written, ", "); len(line) <= maxInline && !strings.Contains(line, "\n") && !commented {
		return "{ " + line + " }"
	}
	var b strings.Builder
	b.WriteString("{\n")
	indent := strings.Repeat("  ", p.depth+1)
	for i, line := range written {
		for _, comment := range o[i].above {
			b.WriteString(indent + comment + "\n")
		}
		b.WriteString(indent + line + o[i].trailing() + "\n")
	}
	return b.String() + strings.Repeat("  ", p.depth) + "}"
}

func objectKey(name string) string {
	if !bareKey.MatchString(name) || name == "for" || name == "true" || name == "false" || name == "null" {
		return quote(name)
	}
	return name
}

// template writes a multi-line string as a heredoc if a heredoc can represent
// it exactly.
func (p *nativePrinter) template(t template) string {
	if len(t) == 1 && t[0].interp != "" {
		return string(t[0].interp)
	}
	if plain := t.render(identity); strings.Contains(strings.TrimSpace(plain), "\n") {
		if doc, ok := p.heredoc(t); ok {
			return doc
		}
	}
	return `"` + t.render(escape) + `"`
}

func identity(s string) string { return s }

// render returns the parts as the content of a template.
func (t template) render(escape func(string) string) string {
	var b strings.Builder
	for _, part := range t {
		if part.interp != "" {
			b.WriteString("${" + string(part.interp) + "}")
			continue
		}
		b.WriteString(escape(templateEscaper.Replace(part.plain)))
	}
	return b.String()
}

// templateEscaper escapes the start of interpolations and directives.
var templateEscaper = strings.NewReplacer("${", "$${", "%{", "%%{")

// escape escapes the content of a quoted string.
func escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f || r == 0x2028 || r == 0x2029 || r == 0xfeff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func quote(s string) string { return `"` + escape(templateEscaper.Replace(s)) + `"` }
