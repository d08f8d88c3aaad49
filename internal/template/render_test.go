// SPDX-License-Identifier: MPL-2.0

package template

import (
	"errors"
	"strings"
	"testing"
)

type number string

// scope returns a lookup in values, which has one entry for each root.
func scope(values map[string]any) Lookup {
	return func(ref Ref) (any, bool) {
		root, ok := values[ref.Root]
		if !ok {
			return nil, false
		}
		return Find(root, ref.Path)
	}
}

var values = scope(map[string]any{
	"parameters": map[string]any{
		"a": "A", "zero": number("0"), "one": number("1.0"), "no": false, "empty": "", "null": nil,
		"html": `a&b<"c">'d'`, "tag": "<% $parameters.a %>", "quotes": "it's \"both\"\nand lines\\",
		"list": []any{"x", "y"}, "maps": []any{map[string]any{}}, "empties": []any{}, "map": map[string]any{"k": map[string]any{"deep": 7}}, "dot.ted": "dotted",
		"nested": []any{number("64"), nil, []any{true, number("1.0")}, "<% $parameters.a %>"}, "raws": []any{Raw("<% $secrets.s %>"), "<% $secrets.s %>"},
		"raw": Raw("<% $secrets.s %> and <%% $secrets.s %>"), "lt": "<",
	},
	"data":    map[string]any{"uri": []string{"http://first", "http://second"}},
	"secrets": map[string]any{"s": "S3CRET", "t": "p&w <% $secrets.s %>"},
	"this":    map[string]any{"mountPoint": "/mnt/nfs"},
})

func TestTheSyntaxOfReferencesIsThatOfOpenPAI(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"no tag at all":  {"echo $HOME", "echo $HOME"},
		"with blanks":    {"echo <% $parameters.a %>", "echo A"},
		"without blanks": {"echo <%$parameters.a%>!", "echo A!"},
		"over lines":     {"<%\n$parameters.a\n%>", "A"},
		"zero, false and an empty string count as set": {"<% $parameters.zero %><% $parameters.no %><% $parameters.empty %>.", "0false."},
		"numbers print as written":                     {"<% $parameters.one %>", "1.0"},
		"a list":                                       {"<% $parameters.list %>!", "x,y!"},
		"a list without elements":                      {"<% $parameters.empties %>!", "!"},
		"a list in a list, null and tags":              {"<% $parameters.nested %>", "64,,true,1.0,<% $parameters.a %>"},
		"a list element":                               {"git clone <% $data.uri[1] %>", "git clone http://second"},
		"a list element in mustache's form":            {"<% $data.uri.0 %>", "http://first"},
		"a deep key":                                   {"<% $parameters.map.k.deep %>", "7"},
		"a key with a dot":                             {`<% $parameters["dot.ted"] %>`, "dotted"},
		"this":                                         {"<% this.mountPoint %>/mnist", "/mnt/nfs/mnist"},
		"nothing is escaped":                           {"<% $parameters.html %>", `a&b<"c">'d'`},
		"line breaks and quotes are unchanged":         {"x<% $parameters.quotes %>x", "xit's \"both\"\nand lines\\x"},
		"tags in a value are not rendered":             {"<% $secrets.t %><% $parameters.tag %>", "p&w <% $secrets.s %><% $parameters.a %>"},
		"an escape":                                    {"<%% $parameters.a %>", "<% $parameters.a %>"},
		"an escaped escape":                            {"<%%% x", "<%% x"},
		"a percent sign in brackets":                   {`<% $parameters["a"] %>%>`, "A%>"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, open := Render(c.in, values)
			if got != c.want || len(open) > 0 {
				t.Errorf("got %q, unresolved %v; want %q", got, open, c.want)
			}
		})
	}
}

func TestRenderLeavesWhatHasNoValue(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want, err string }{
		"an unknown name":         {"a <% $parameters.nope %> b", "a <% $parameters.nope %> b", ""},
		"an unknown context":      {"<% $job.name %>", "<% $job.name %>", ""},
		"an index out of range":   {"<% $data.uri[7] %>", "<% $data.uri[7] %>", ""},
		"a property of lists":     {"<% $data.uri.length %>", "<% $data.uri.length %>", ""},
		"null":                    {"<% $parameters.null %>", "<% $parameters.null %>", "is null; only strings, numbers, bools and lists of them can be inserted"},
		"a list with a map":       {"<% $parameters.maps %>", "<% $parameters.maps %>", "is a list; only strings, numbers, bools and lists of them can be inserted"},
		"a map":                   {"<% $parameters.map %>", "<% $parameters.map %>", "is a map; only strings, numbers, bools and lists of them can be inserted"},
		"an unclosed tag":         {"printf '<%s' x", "printf '<%s' x", "is not closed with %>"},
		"a tag within a tag":      {"<% oops <% $parameters.a %>", "<% oops A", "is not closed with %>"},
		"a section of mustache":   {"<%# x %>", "<%# x %>", "does not start with $parameters, $secrets, $data, $script, $output or this"},
		"an expression of ERB":    {"<%= x %>", "<%= x %>", "does not start with $parameters, $secrets, $data, $script, $output or this"},
		"a root without a dollar": {"<% parameters.a %>", "<% parameters.a %>", "does not start with $parameters, $secrets, $data, $script, $output or this"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, open := Render(c.in, values)
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if len(open) != 1 {
				t.Fatalf("unresolved: %v", open)
			}
			if msg := errText(open[0].Err); msg != c.err {
				t.Errorf("error %q, want %q", msg, c.err)
			}
			if !strings.HasPrefix(c.in[open[0].Start:open[0].End], "<%") {
				t.Errorf("offsets %d to %d", open[0].Start, open[0].End)
			}
		})
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func secretsOnly(ref Ref) bool { return ref.Root == "secrets" }

func TestPartialGivesATemplateForTheRuntime(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, partial, final string }{
		"a secret is left":                         {"<%$secrets.s%>", "<% $secrets.s %>", "S3CRET"},
		"a value with a tag is not resolved again": {"<% $parameters.tag %>", "<%% $parameters.a %>", "<% $parameters.a %>"},
		"an escaped secret is not resolved":        {"<%% $secrets.s %>", "<%% $secrets.s %>", "<% $secrets.s %>"},
		"a raw value keeps its references":         {"<% $parameters.raw %>", "<% $secrets.s %> and <%% $secrets.s %>", "S3CRET and <% $secrets.s %>"},
		"a list keeps the references of its raw":   {"<% $parameters.raws %>", "<% $secrets.s %>,<%% $secrets.s %>", "S3CRET,<% $secrets.s %>"},
		"an unresolved tag is text afterwards":     {"<% $parameters.nope %>", "<%% $parameters.nope %>", "<% $parameters.nope %>"},
		"pieces do not join to a tag":              {"<% $parameters.lt %>% $secrets.s %>", "<%% $secrets.s %>", "<% $secrets.s %>"},
		"a less-than sign before a kept tag":       {"<<% $secrets.s %>", "<<% $secrets.s %>", "<S3CRET"},
		"a redirection is unchanged":               {"cat < in > out", "cat < in > out", "cat < in > out"},
		"values and secrets in one string":         {"<% $parameters.a %>:<% $secrets.s %>", "A:<% $secrets.s %>", "A:S3CRET"},
		"an unclosed tag cannot swallow a secret":  {"<% x <% $secrets.s %>", "<%% x <% $secrets.s %>", "<% x S3CRET"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			partial, _ := Partial(c.in, values, secretsOnly)
			if partial != c.partial {
				t.Errorf("partial %q, want %q", partial, c.partial)
			}
			final, open := Render(partial, values)
			if final != c.final || len(open) > 0 {
				t.Errorf("final %q, unresolved %v; want %q", final, open, c.final)
			}
		})
	}
}

func TestValuesAreFilledOnce(t *testing.T) {
	t.Parallel()
	vars := map[string]string{"dataPath": "/data", "x": "{{ dataPath }}", "FC_TASK_INDEX": "9"}
	declared := func(n string) bool { return n == "dataPath" || n == "x" || n == "min" || n == "FC_TASK_INDEX" }
	for name, c := range map[string]struct{ in, want, missing string }{
		"with blanks":                       {"mkdir -p {{ dataPath }}", "mkdir -p /data", ""},
		"without blanks":                    {"{{dataPath}}/a{{dataPath}}", "/data/a/data", ""},
		"a value is not filled again":       {"{{ x }}", "{{ dataPath }}", ""},
		"a name that is not declared":       {"{{ other }} {{ .Names }}", "{{ other }} {{ .Names }}", ""},
		"names of FrameworkController":      {"{{FC_TASK_INDEX}}", "{{FC_TASK_INDEX}}", ""},
		"a declared name that has no value": {"sleep {{ min }}m {{min}}", "sleep {{ min }}m {{min}}", "min"},
		"not a name":                        {"{{ 3d }} {{}} { { x } }", "{{ 3d }} {{}} { { x } }", ""},
		"shell braces around the value":     {"${{{ dataPath }}}", "${/data}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, missing := Fill(c.in, vars, declared)
			if got != c.want || strings.Join(missing, ",") != c.missing {
				t.Errorf("got %q, missing %v; want %q, %q", got, missing, c.want, c.missing)
			}
		})
	}
}

func TestLongTextsAreScannedInLinearTime(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"<%", "<% $parameters.a %>", "<%%", "%>", "<% %"} {
		text := strings.Repeat(piece, 1<<20/len(piece))
		got, _ := Render(text, values)
		if len(got) == 0 {
			t.Errorf("%q repeated renders to nothing", piece)
		}
	}
}

func TestATextGrowsNoFurtherThanItsLimit(t *testing.T) {
	t.Parallel()
	lookup := scope(map[string]any{"parameters": map[string]any{"long": strings.Repeat("x", maxText/2)}})
	text := strings.Repeat("<% $parameters.long %>", 3)
	rendered, open := Render(text, lookup)
	if len(open) != 1 || !errors.Is(open[0].Err, ErrTooLong) || !strings.HasSuffix(rendered, "x<% $parameters.long %>") {
		t.Errorf("Render returns %d tags and %d bytes", len(open), len(rendered))
	}
	partial, open := Partial(text, lookup, func(Ref) bool { return false })
	if len(open) != 1 || !errors.Is(open[0].Err, ErrTooLong) || !strings.HasSuffix(partial, "x<%% $parameters.long %>") {
		t.Errorf("Partial returns %d tags and %d bytes", len(open), len(partial))
	}
}

// FuzzPartial checks that literal text and values never become references, and
// that Render after Partial has the same result as Render alone.
func FuzzPartial(f *testing.F) {
	for _, seed := range []string{"<% $parameters.v %>", "<%% $secrets.s %>", "<<% $secrets.s %>%>", "<% <%%", "<% $parameters.v %>% $secrets.s %>", `<%$a["%>"]%>`, "<%$secrets%>"} {
		f.Add(seed, "<")
		f.Add(seed, "<% $secrets.s %>")
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		lookup := scope(map[string]any{"parameters": map[string]any{"v": value}, "secrets": map[string]any{"s": "S"}})
		isSecret := func(r Ref) bool {
			v, _ := lookup(r)
			_, isText := v.(string) // the map of all secrets cannot be printed
			return r.Root == "secrets" && isText
		}
		partial, _ := Partial(text, lookup, isSecret)
		for _, tag := range Tags(partial) {
			if tag.Err != nil || tag.Ref.Root != "secrets" {
				t.Fatalf("%q leaves the tags %q in %q", text, partial[tag.Start:tag.End], partial)
			}
		}
		again, open := Partial(partial, lookup, isSecret)
		if again != partial || len(open) > 0 {
			t.Fatalf("twice: %q then %q", partial, again)
		}
		oneStep, _ := Render(text, lookup)
		twoSteps, _ := Render(partial, lookup)
		if oneStep != twoSteps {
			t.Fatalf("%q: one step returns %q, two steps return %q", text, oneStep, twoSteps)
		}
		if got, _ := Render(Escape(value), lookup); got != value {
			t.Fatalf("escaped %q renders to %q", value, got)
		}
	})
}
