package view

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// Markdown shows a plan in a comment on a pull request: the summary and a
// table of the changes, then what differs and the resolved graph of each
// change, folded.
func Markdown(w io.Writer, p *planner.Plan) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "### OpenPAI plan: %s\n\n%s\n", inline(p.Workspace), inline(Summary(p)))
	table(&b, p)
	for _, c := range p.Changes {
		if c.Action != planner.NoOp || c.Outdated {
			details(&b, c)
		}
	}
	warnings(&b, p)
	_, err := w.Write(b.Bytes())
	return err
}

func table(b *bytes.Buffer, p *planner.Plan) {
	if len(p.Changes) == 0 {
		return
	}
	b.WriteString("\n| | Job | Cluster | Reason | Running work |\n|---|---|---|---|---|\n")
	for _, c := range p.Changes {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", c.Action, code(c.Address.String()), inline(c.Cluster), inline(reasonAndAdvice(c.Reason)), inline(Impact(c.Impact)))
	}
}

func details(b *bytes.Buffer, c *planner.Change) {
	t := &text{}
	for _, g := range grouped(c.Fields) {
		t.line(0, g.symbol+" "+clean(string(g.path))+g.inline+consequence(c, g.effect))
		for _, l := range g.lines {
			t.line(0, l.symbol+"   "+l.text)
		}
	}
	var graph text
	if c.Job != nil && (c.Action == planner.Create || c.Action == planner.Replace) {
		graph.graph(0, c.Job)
	}
	fold(b, c.Address.String()+": what differs", "diff", t.out.String())
	fold(b, c.Address.String()+": what runs", "text", strings.TrimRight(graph.out.String(), "\n")+"\n")
	secrets(b, c)
}

// fold writes a folded block of preformatted text, unless there is none. The
// fence is longer than any run of backticks inside.
func fold(b *bytes.Buffer, title, language, body string) {
	if strings.TrimSpace(body) == "" {
		return
	}
	fence := strings.Repeat("`", max(3, longestRun(body, '`')+1))
	fmt.Fprintf(b, "\n<details><summary>%s</summary>\n\n%s%s\n%s%s\n\n</details>\n", inline(title), fence, language, body, fence)
}

func secrets(b *bytes.Buffer, c *planner.Change) {
	if len(c.Secrets) == 0 {
		return
	}
	states := make([]string, len(c.Secrets))
	for i, s := range c.Secrets {
		states[i] = fmt.Sprintf("%s (%s)", code(s.Name), s.State)
	}
	fmt.Fprintf(b, "\nSecrets of %s: %s\n", code(c.Address.String()), strings.Join(states, ", "))
}

func warnings(b *bytes.Buffer, p *planner.Plan) {
	if len(p.Diagnostics) == 0 {
		return
	}
	b.WriteString("\nFindings:\n\n")
	for _, f := range toDiagnosticsJSON(p.Diagnostics) {
		where := ""
		if f.Range != nil {
			where = fmt.Sprintf(" (%s line %d)", code(f.Range.Filename), f.Range.Start.Line)
		}
		fmt.Fprintf(b, "- **%s: %s**%s. %s\n", f.Severity, inline(f.Summary), where, inline(f.Detail))
	}
}

// special are the characters that Markdown or HTML would act on.
var special = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "|", `\|`, "[", `\[`, "]", `\]`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;", "@", "&#64;", "#", `\#`, "~", `\~`, "\n", " ", "\t", " ")

// inline shows a text in running Markdown: nothing in it acts, and nobody is
// notified by an @.
func inline(text string) string { return clean(special.Replace(text)) }

// code shows a text as code in running Markdown or in a table.
func code(text string) string {
	text = strings.ReplaceAll(clean(strings.ReplaceAll(text, "\n", " ")), "|", `\|`)
	fence := strings.Repeat("`", longestRun(text, '`')+1)
	if len(fence) > 1 {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}

func longestRun(text string, c byte) int {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
