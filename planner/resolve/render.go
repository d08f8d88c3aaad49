// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/template"
)

// renderer resolves references in the strings of one owner. It reports
// references without a value.
type renderer struct {
	*reporter
	role    *roleScope
	values  lookup
	sources hclspec.SourceMap
	owner   string // `task role "worker"` or the address of an instance
	silent  bool
}

func (e *expansion) renderer(values lookup, sources hclspec.SourceMap, owner string) *renderer {
	return &renderer{reporter: e.reporter, role: e.role, values: values, sources: sources, owner: owner}
}

// renderer returns a renderer for strings of the workspace, not of a
// marketplace item.
func (r *resolver) renderer(role *roleScope, owner string) *renderer {
	return &renderer{reporter: r.reporter, role: role, values: role.lookup(nil), sources: r.sources, owner: owner}
}

// render returns a template in which only references to secrets remain
// unresolved.
func (t *renderer) render(text string, path hclspec.Path) string {
	at := t.sources.Range(path)
	if t.full() {
		return text
	}
	partial, open := template.Partial(text, t.values.at(at), t.role.keepSecret)
	for _, tag := range open {
		if errors.Is(tag.Err, template.ErrTooLong) {
			t.reportAt(hclspec.ResultTooLarge, at, "%s contains the reference %s, which %s. Use a fetch for large data.", upperFirst(t.owner), quoteTag(tag, text), tag.Err)
			return text
		}
		if !t.silent {
			t.unresolved(tag, text, at)
		}
	}
	if partial != text && !t.grow(len(partial), at) {
		return text
	}
	return partial
}

func (t *renderer) renderAll(list []string, path hclspec.Path) []string {
	var out []string
	for i, s := range list {
		out = append(out, t.render(s, path.Index(i)))
	}
	return out
}

// commands trims spaces from the rendered entries and removes empty entries.
func (t *renderer) commands(list []string, path hclspec.Path) []string {
	var out []string
	for i, s := range list {
		if s = strings.TrimSpace(t.render(s, path.Index(i))); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func (t *renderer) environment(m map[string]string, path hclspec.Path) map[string]string {
	out := make(map[string]string, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out[k] = t.render(m[k], path.Key(k))
	}
	return out
}

// object renders every string in a free-form value.
func (t *renderer) object(m map[string]any, path hclspec.Path) map[string]any {
	if len(m) == 0 {
		return nil
	}
	return mapStrings(m, path, t.render).(map[string]any)
}

func (t *renderer) unresolved(tag template.Tag, text string, at hcl.Range) {
	if tag.Ref.Root == "secrets" && tag.Err == nil {
		t.unknownSecret(tag, text, at)
		return
	}
	if tag.Err != nil && !meantAsReference(text[tag.Start:]) {
		t.reportAt(SuspiciousTag, at, "%s contains a %s that does not begin a reference. The string stays unchanged. Write <%%%% for a literal <%%.", upperFirst(t.owner), quoteTag(tag, text))
		return
	}
	t.reportAt(t.severity(hclspec.UnresolvedReference, UnresolvedImported), at, "%s contains the reference %s, which %s.%s", upperFirst(t.owner), quoteTag(tag, text), t.reason(tag), t.suggestion(tag))
}

// reason explains why a reference has no value, as the end of a sentence.
func (t *renderer) reason(tag template.Tag) string {
	if tag.Err != nil {
		return tag.Err.Error()
	}
	switch root := tag.Ref.Root; root {
	case "parameters":
		known := slices.Sorted(maps.Keys(t.role.parameters))
		return "is not a parameter of the job; the job declares " + hclspec.QuoteList(known, "none")
	case "data", "script", "output":
		if i := t.role.contexts[root]; i != nil {
			return "is not a field of " + i.address
		}
		return "has no value here, because " + t.role.name + " does not set a prerequisite in its field " + root
	case "this":
		if strings.HasPrefix(t.owner, "task role ") || strings.HasPrefix(t.owner, "plugin.") {
			return "is allowed only in a prerequisite"
		}
		return "is not a parameter of " + t.owner + " or of the prerequisites that it requires"
	}
	return "begins with an unknown context; valid contexts are $parameters, $secrets, $data, $script, $output and this"
}

func (t *renderer) suggestion(tag template.Tag) string {
	if tag.Ref.Root != "parameters" || tag.Err != nil {
		return ""
	}
	return hclspec.Suggest(firstKey(tag.Ref), slices.Sorted(maps.Keys(t.role.parameters)))
}

// unknownSecret reports a reference to an undeclared secret. If the rendered
// text contains a secret address, the message shows the name from the source.
func (t *renderer) unknownSecret(tag template.Tag, text string, at hcl.Range) {
	name, _ := tag.Ref.Secret()
	what := "no such secret is declared"
	shown, known := quoteTag(tag, text), secretNames(t.role.declared)
	module, local := hclspec.Address(name).Split()
	label, isSecret := strings.CutPrefix(local.String(), "secret.")
	if module != "" && isSecret {
		name, known = label, nil
		shown, what = "`"+hclspec.SecretTag(label)+"`", module.String()+" declares no such secret"
		for _, s := range t.role.declared {
			if s.Module == module {
				known = append(known, s.Name)
			}
		}
	}
	advice := hclspec.Suggest(name, known)
	if module != "" && advice == "" && findSecret(t.role.declared, name) != nil {
		advice = fmt.Sprintf(" To use the root module's secret %q, pass it in a variable.", name)
	}
	t.reportAt(t.severity(hclspec.UnknownSecret, UnknownSecretImported), at, "%s refers to %s, but %s.%s", upperFirst(t.owner), shown, what, advice)
}

var referenceStart = regexp.MustCompile(`^<%\s*(\$|this\b|[A-Za-z_][A-Za-z0-9_.\[\]]*\s*%>)`)

// meantAsReference reports whether a string is probably a mistyped reference. It
// returns false for text such as printf '<%s>'.
func meantAsReference(text string) bool { return referenceStart.MatchString(text) }

// quoteTag quotes a tag as written; for an unclosed tag, it quotes the first
// words.
func quoteTag(tag template.Tag, text string) string {
	if tag.End-tag.Start == len("<%") {
		return "`<% " + tag.Ref.Text + "`"
	}
	return "`" + text[tag.Start:tag.End] + "`"
}

func firstKey(ref template.Ref) string {
	if len(ref.Path) == 0 {
		return ""
	}
	key, _ := ref.Path[0].(string)
	return key
}
