// SPDX-License-Identifier: MPL-2.0

package view

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// TextOptions configures the text view.
type TextOptions struct {
	// Phrase returns the text for a fact in a plan. Graphs and differences do
	// not contain facts.
	Phrase message.Phrase
	Color  bool
	// Width is the terminal width in columns. Sentences are wrapped at this width; 0
	// means no wrapping. Values are never cut.
	Width int
	// If Detail is set, the text shows each job separately and all command
	// lines. It also shows the graph of jobs that do not start.
	Detail bool
	// Path is the workspace argument for the commands in advice, preceded by a
	// space; "" means the current directory.
	Path string
}

// Text writes a plan for users. It shows a summary and the changes by cause,
// with reasons, impact and the fields that differ. It shows the resolved
// prerequisites of each task role in start order. It does not write diagnostics;
// see [Diagnostics].
func Text(w io.Writer, p *planner.Plan, o TextOptions) error {
	t := &text{palette: palette(o.Color), o: o}
	t.header(p)
	t.changes(p)
	t.items(p)
	if !p.Empty() {
		t.sums(p)
	}
	t.otherChanges(p)
	if others := elsewhere(p); others != "" {
		t.sentence(2, t.dim, others)
		t.blank()
	}
	if found := policies(p); found != "" {
		t.sentence(0, plainly, found)
	}
	t.line(0, t.bold(Summary(p, t.o.Phrase)))
	_, err := w.Write(t.out.Bytes())
	return err
}

type text struct {
	palette
	o   TextOptions
	out bytes.Buffer
}

const indentation = "  "

// line writes one line, indented by depth and without trailing spaces.
func (t *text) line(depth int, s string) {
	t.out.WriteString(strings.TrimRight(strings.Repeat(indentation, depth)+s, " "))
	t.out.WriteByte('\n')
}

func (t *text) blank() { t.out.WriteByte('\n') }

// sentence writes s, wrapped at the width of the terminal.
func (t *text) sentence(depth int, paint func(string) string, s string) {
	width := t.o.Width - depth*len(indentation)
	if t.o.Width <= 0 {
		width = 0
	}
	for _, l := range wrap(clean(s), max(width, 0)) {
		t.line(depth, paint(l))
	}
}

func (t *text) changes(p *planner.Plan) {
	folded := false
	for _, g := range p.Groups() {
		if len(g.Members) > 1 && !t.o.Detail {
			t.group(g)
			folded = folded || g.Members[0].Change.Action != planner.NoOp
			continue
		}
		for _, m := range g.Members {
			t.change(m.Change)
		}
	}
	if folded {
		t.line(0, t.dim(fmt.Sprintf("Jobs with the same cause are shown together; %s shows each job separately.", t.o.Phrase(message.OptionDetail))))
		t.blank()
	}
}

func (t *text) header(p *planner.Plan) {
	head := title(p)
	if len(p.Targets) > 0 {
		targets := make([]string, len(p.Targets))
		for i, a := range p.Targets {
			targets[i] = clean(a.String())
		}
		head += ", limited to " + strings.Join(targets, ", ")
	}
	t.line(0, t.bold(head))
	t.blank()
}

// symbols contains the symbol for each action.
var symbols = map[planner.Action]string{
	planner.Create: "+", planner.Update: "~", planner.Replace: "-/+", planner.Delete: "-", planner.NoOp: "",
}

func (t *text) change(c *planner.Change) {
	symbol := symbols[c.Action]
	if c.Action == planner.NoOp {
		t.noOp(c)
		return
	}
	t.line(0, t.marked(symbol, fmt.Sprintf("%3s %s", symbol, t.bold(clean(c.Address.String()))))+
		fmt.Sprintf(": %s on cluster %s", c.Action, clean(c.Cluster)))
	t.sentence(2, t.dim, reasonAndAdvice(c.Reason, t.o.Phrase))
	if !c.Impact.None() {
		t.sentence(2, t.warning, "! "+Impact(c.Impact))
	}
	t.blank()
	t.drift(c)
	t.fields(2, c)
	if c.Job != nil && (c.Action != planner.Update || t.o.Detail) {
		t.graph(2, c.Job)
	}
	t.secrets(c)
	t.objects(c)
}

// path returns the path argument for advice that ends with a command, otherwise
// "".
func (t *text) path(r planner.Reason) string {
	if r.Code == planner.ReasonElsewhere && r.User == "" {
		return t.o.Path
	}
	return ""
}

func (t *text) noOp(c *planner.Change) {
	head := fmt.Sprintf("%3s %s: ", "", clean(c.Address.String()))
	if c.Outdated {
		t.line(0, head+t.changed(clean(reasonAndAdvice(c.Reason, t.o.Phrase))))
		t.blank()
		t.fields(2, c)
		t.secrets(c)
	} else {
		t.line(0, head+"nothing to do, "+clean(reasonAndAdvice(c.Reason, t.o.Phrase)+t.path(c.Reason)))
		t.blank()
	}
	if t.o.Detail {
		t.graph(2, c.Job)
	}
}

func (t *text) secrets(c *planner.Change) {
	if len(c.Secrets) == 0 {
		return
	}
	t.line(2, "secrets: "+secretStates(c))
	t.blank()
}

func secretStates(c *planner.Change) string {
	states := make([]string, len(c.Secrets))
	for i, s := range c.Secrets {
		states[i] = fmt.Sprintf("%s (%s)", clean(s.Name), s.State)
	}
	return strings.Join(states, ", ")
}

func (t *text) objects(c *planner.Change) {
	if len(c.Objects) == 0 {
		return
	}
	total := 0
	kinds := make([]string, len(c.Objects))
	for i, o := range c.Objects {
		kinds[i] = fmt.Sprintf("%s %s (%s)", o.Kind, clean(o.Name), quantity.Bytes(o.Bytes))
		total += o.Bytes
	}
	t.line(2, fmt.Sprintf("sends %s, %s:", quantity.Count(len(kinds), "object"), quantity.Bytes(total)))
	for _, k := range kinds {
		t.line(3, t.dim(k))
	}
	t.blank()
}

// palette is true if the output is colored.
type palette bool

func (p palette) paint(code, text string) string {
	if !p || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (p palette) bold(text string) string    { return p.paint("1", text) }
func (p palette) dim(text string) string     { return p.paint("2", text) }
func (p palette) added(text string) string   { return p.paint("32", text) }
func (p palette) removed(text string) string { return p.paint("31", text) }
func (p palette) changed(text string) string { return p.paint("33", text) }
func (p palette) warning(text string) string { return p.paint("1;33", text) }
func (p palette) failure(text string) string { return p.paint("1;31", text) }

// marked colors text for the symbol +, -, ~ or -/+.
func (p palette) marked(symbol, text string) string {
	switch symbol {
	case "+":
		return p.added(text)
	case "-":
		return p.removed(text)
	case "~", "-/+":
		return p.changed(text)
	}
	return text
}

func (t *text) fields(depth int, c *planner.Change) { t.differences(depth, c.Fields, c.Action) }

// differences prints changed fields of jobs with the same action.
func (t *text) differences(depth int, changes []planner.FieldChange, action planner.Action) {
	t.groups(depth, grouped(changes), action)
}

func (t *text) groups(depth int, groups []group, action planner.Action) {
	for _, g := range groups {
		t.line(depth, t.marked(g.symbol, g.symbol+" "+clean(string(g.path)))+g.inline+t.dim(consequence(action, g.effect)))
		for _, l := range g.lines {
			t.line(depth+2, t.marked(l.symbol, l.symbol+" "+l.text))
		}
	}
	if len(groups) > 0 {
		t.blank()
	}
}

// Differences writes the changed fields without their effect on a job.
func Differences(w io.Writer, changes []planner.FieldChange, o TextOptions) error {
	t := &text{palette: palette(o.Color), o: o}
	t.differences(1, changes, planner.NoOp)
	_, err := w.Write(t.out.Bytes())
	return err
}

// consequence marks fields that force a replacement, so that users can undo the
// change.
func consequence(action planner.Action, e hclspec.Effect) string {
	if action == planner.Replace && e == hclspec.EffectReplace {
		return "  # replaces the job"
	}
	return ""
}
