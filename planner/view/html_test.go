// SPDX-License-Identifier: MPL-2.0

package view_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/tools/golden"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

func html(t testing.TB, p *planner.Plan) string {
	t.Helper()
	var b bytes.Buffer
	if err := view.HTML(&b, p, phrase.Of); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var (
	styleElement  = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	scriptElement = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
)

// without removes the content of style and script elements.
func without(page string) string {
	return scriptElement.ReplaceAllString(styleElement.ReplaceAllString(page, "<style></style>"), "<script></script>")
}

func TestPagesAreWrittenAsInTestdata(t *testing.T) {
	t.Parallel()
	all := plans()
	for _, name := range []string{"causes", "replace", "instances"} {
		page := html(t, all[name])
		if page != html(t, all[name]) {
			t.Errorf("%s: the same plan produces another page", name)
		}
		if strings.Contains(page, "hunter2") {
			t.Errorf("%s shows the value of a secret", name)
		}
		golden.File(t, filepath.Join("testdata", name+".html"), []byte(without(page)))
	}
}

// The policy uses hashes to permit only the page's style and script.
func TestHTMLPermitsOnlyItsOwnScript(t *testing.T) {
	t.Parallel()
	page := html(t, plans()["causes"])
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`).FindStringSubmatch(page)
	if policy == nil {
		t.Fatal("no policy")
	}
	hash := func(element *regexp.Regexp) string {
		found := element.FindAllStringSubmatch(page, -1)
		if len(found) != 1 {
			t.Fatalf("%d of %s", len(found), element)
		}
		sum := sha256.Sum256([]byte(found[0][1]))
		return base64.StdEncoding.EncodeToString(sum[:])
	}
	want := fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'; base-uri 'none'; form-action 'none'", hash(styleElement), hash(scriptElement))
	if got := strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(policy[1]); got != want {
		t.Errorf("policy\n%s, want\n%s", got, want)
	}
}

// structure returns the element names of a page, each with its attribute names.
func structure(t *testing.T, page string) []string {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(without(page)))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var all []string
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		e, isStart := token.(xml.StartElement)
		if !isStart {
			continue
		}
		shown := e.Name.Local
		for _, a := range e.Attr {
			shown += " " + a.Name.Local
			if name := a.Name.Local; name == "src" || name == "style" || name == "srcset" || strings.HasPrefix(name, "on") {
				t.Errorf("<%s> has the attribute %s", e.Name.Local, name)
			}
		}
		all = append(all, shown)
	}
}

// hostile contains strings that could add markup, control terminals, or hide
// text.
var hostile = []string{
	"<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", `"><a href="javascript:alert(1)">`, "' onmouseover='alert(1)",
	"````\n</details>", "</details><h1>", "@team", "a\u202eb\u2066c", "<!--", "]]>", "</style><style>", "{{.Style}}", "\x1b[2J", "\xff",
	"| x |\n|---|", "![x](http://example.org/x.png)", "[x](javascript:alert(1))", "<details open>",
}

// planWithText returns a plan in which every user-provided string has the
// value text.
func planWithText(text string) *planner.Plan {
	job := trainJob()
	job.Address = hclspec.NewAddress("job", text)
	job.Name, job.Cluster, job.VirtualCluster, job.Description = text, text, text, text
	role := job.TaskRoles[0]
	role.Name, role.Commands, role.Environment = text, []string{text}, map[string]string{text: text}
	role.Image = resolve.Image{URI: text, Address: text}
	role.Mounts[0].Storage, role.Mounts[0].Path = text, text
	for _, s := range role.Steps {
		s.Address, s.Name, s.Source, s.With = "prerequisite.script."+text, text, text, map[string]string{text: text}
		s.RequiredBy, s.Title, s.Link = []string{text}, text, "https://example.org/item"
	}
	job.Items = []resolve.UsedItem{{Address: text, Name: text, Type: text, Title: text, Marketplace: text, Version: text, Link: "https://example.org/item"}}
	job.Secrets[0].Name, job.Secrets[1].Name = text, text+"2"
	old := liveJob(trainJob())
	old.Address, old.Framework = hclspec.NewAddress("job", text+"-old"), "dddd"
	p := planner.New(planner.Options{Workspace: text, Jobs: []*resolve.Job{job}, Live: map[string]*planner.Snapshot{text: {Jobs: []*planner.LiveJob{old}}}})
	for i, severity := range []hcl.DiagnosticSeverity{hcl.DiagWarning, hcl.DiagError} {
		p.Diagnostics = append(p.Diagnostics, &hcl.Diagnostic{
			Severity: severity, Summary: text, Detail: text, Subject: &hcl.Range{Filename: text, Start: hcl.Pos{Line: i + 1, Column: 1}},
		})
	}
	p.Policies = []planner.PolicyResult{{Name: text, Directory: text, Level: "deny", Violations: 1, Checked: 2}}
	p.Elsewhere = []hclspec.Address{hclspec.Address(text)}
	return p
}

// TestHTMLCannotBeBrokenOut checks that hostile text and harmless text
// produce the same HTML elements.
func TestHTMLCannotBeBrokenOut(t *testing.T) {
	t.Parallel()
	want := structure(t, html(t, planWithText("harmless")))
	for _, text := range hostile {
		page := html(t, planWithText(text))
		severalLines := strings.Contains(text, "\n") // is shown as several lines
		if diff := cmp.Diff(want, structure(t, page)); diff != "" && !severalLines {
			t.Errorf("elements with %q (-harmless +got):\n%s", text, diff)
		}
		if strings.ContainsAny(page, "\u202e\u2066\x1b") {
			t.Errorf("the page for %q contains a character that hides text", text)
		}
		if n := strings.Count(page, "<script"); n != 1 {
			t.Errorf("%d scripts with %q", n, text)
		}
	}
}

// actsInMarkdown matches links, mentions and characters that hide text.
var actsInMarkdown = regexp.MustCompile(`[^\\]\]\(|[^\\]!\[|@team|[\x{202e}\x{2066}\x1b]`)

func TestMarkdownHasNoHTMLOfADeclaration(t *testing.T) {
	t.Parallel()
	tags := regexp.MustCompile(`</?[a-zA-Z!][^>\n]*>?`)
	for _, text := range hostile {
		var b bytes.Buffer
		if err := view.Markdown(&b, planWithText(text), view.MarkdownOptions{Phrase: phrase.Of}); err != nil {
			t.Fatal(err)
		}
		outside := strings.ReplaceAll(withoutCode(b.String()), "](<https://example.org/item>)", "]") // link that the view adds
		for _, tag := range tags.FindAllString(outside, -1) {
			switch tag {
			case "<details>", "<summary>", "</summary>", "</details>":
			default:
				t.Errorf("%q becomes the tag %s in\n%s", text, tag, outside)
			}
		}
		if opened, closed := strings.Count(outside, "<details>"), strings.Count(outside, "</details>"); opened != closed {
			t.Errorf("%q: %d blocks are opened and %d closed", text, opened, closed)
		}
		if acts := actsInMarkdown.FindString(outside); acts != "" {
			t.Errorf("%q keeps %q in\n%s", text, acts, outside)
		}
	}
}

// withoutCode removes code blocks and code spans, which show text literally.
func withoutCode(markdown string) string {
	var outside []string
	fence := ""
	for _, line := range strings.Split(markdown, "\n") {
		run := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(run) >= 3:
			fence = run
		case fence != "" && line == fence:
			fence = ""
		case fence == "":
			outside = append(outside, codeSpans(line))
		}
	}
	return strings.Join(outside, "\n")
}

var codeSpan = regexp.MustCompile("`+")

// codeSpans removes the code spans from a line: spans between two backtick
// runs of the same length.
func codeSpans(line string) string {
	var b strings.Builder
	for line != "" {
		run := codeSpan.FindStringIndex(line)
		if run == nil {
			break
		}
		if run[0] > 0 && line[run[0]-1] == '\\' { // escaped
			b.WriteString(line[:run[1]])
			line = line[run[1]:]
			continue
		}
		marks := line[run[0]:run[1]]
		end := regexp.MustCompile("[^`](" + marks + ")([^`]|$)").FindStringSubmatchIndex(line[run[1]:])
		b.WriteString(line[:run[0]])
		if end == nil {
			line = line[run[1]:]
			continue
		}
		line = line[run[1]+end[3]:]
	}
	return b.String() + line
}

// The page's style has a dark color for each light color in the graph.
func TestHTMLHasDarkColors(t *testing.T) {
	t.Parallel()
	page := html(t, plans()["causes"])
	style := styleElement.FindString(page)
	for _, color := range regexp.MustCompile(`fill="(#[0-9a-f]{6})"`).FindAllStringSubmatch(string(view.SVG(drawnJobs())), -1) {
		if rule := `[fill="` + color[1] + `"]`; !strings.Contains(style, rule) && !edgeOnly(color[1]) {
			t.Errorf("no rule for %s", rule)
		}
	}
}

// edgeOnly reports whether a color is an edge color. Edge colors are visible
// on light and dark backgrounds.
func edgeOnly(color string) bool {
	return strings.Contains(" #2563eb #16a34a #d97706 #9333ea #0891b2 #e11d48 #c026d3 ", " "+color+" ")
}

// halfOfOneCause returns a plan in which half of the jobs share a cause. The
// other jobs have separate causes.
func halfOfOneCause(n int) *planner.Plan {
	var wanted, live []*resolve.Job
	for i := range n {
		was, job := trainJob(), trainJob()
		for _, j := range []*resolve.Job{was, job} {
			j.Address, j.Name, j.Framework, j.Secrets = hclspec.Address(fmt.Sprintf("job.exp%d", i)), fmt.Sprint("exp", i), fmt.Sprintf("%032x", i), nil
		}
		if i%2 == 0 {
			job.TaskRoles[0].Steps[0].Callbacks[0].Commands = []string{"apt-get update", "apt-get install -y unzip curl"}
		} else {
			job.TaskRoles[0].Commands = []string{fmt.Sprint("python train.py --seed ", i)}
		}
		wanted, live = append(wanted, job), append(live, was)
	}
	return planner.New(planner.Options{Workspace: "team", Jobs: wanted, Live: map[string]*planner.Snapshot{"gpu": {Jobs: liveJobs(live)}}})
}

func TestHTMLOfManyJobsIsBounded(t *testing.T) {
	t.Parallel()
	page := html(t, halfOfOneCause(1000))
	if len(page) > 800<<10 {
		t.Errorf("the page has %d bytes", len(page))
	}
	if n := len(structure(t, page)); n > 9000 {
		t.Errorf("the page has %d elements", n)
	}
	if !strings.Contains(page, "The graph shows ") {
		t.Error("the page does not report that jobs are missing in the graph")
	}
}

// TestThePageComparesNewInstancesInOneTitle checks that one title contains the
// addresses of two new instances.
func TestThePageComparesNewInstancesInOneTitle(t *testing.T) {
	t.Parallel()
	shown := html(t, plans()["instances"])
	if want := "<p><b>job.exp[&#34;1&#34;] differs from job.exp[&#34;0&#34;]:</b></p>"; !strings.Contains(shown, want) {
		t.Errorf("no %q in:\n%s", want, shown)
	}
	if strings.Contains(shown, "also:") {
		t.Errorf("a new instance has an additional difference in:\n%s", shown)
	}
}
