package resolve

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/template"
)

// renderer fills the references in the texts of one owner and reports those
// without a value.
type renderer struct {
	role    *roleScope
	values  template.Lookup
	sources hclspec.SourceMap
	owner   string // `task role "worker"` or the address of an instance
	silent  bool
}

func (s *roleScope) renderer(values template.Lookup, sources hclspec.SourceMap, owner string) *renderer {
	return &renderer{role: s, values: values, sources: sources, owner: owner}
}

// text renders one text that was written at path. The result is a template in
// which only secrets are left.
func (t *renderer) text(text string, path hclspec.Path) string {
	at := t.sources.Range(path)
	t.role.r.at = at
	if t.role.r.grown > maxGrown {
		return text
	}
	partial, open := template.Partial(text, t.values, t.role.keep)
	for _, tag := range open {
		if errors.Is(tag.Err, template.ErrTooLong) {
			t.role.r.reportAt(hclspec.ResultTooLarge, at, "%s has the reference %s, which %s. Let the task fetch large text.", upperFirst(t.owner), quoteTag(tag, text), tag.Err)
			return text
		}
		if !t.silent {
			t.unresolved(tag, text, at)
		}
	}
	if partial != text && !t.role.r.grow(len(partial), at) {
		return text
	}
	return partial
}

// texts renders a list in place of the elements.
func (t *renderer) texts(list []string, path hclspec.Path) []string {
	var out []string
	for i, s := range list {
		out = append(out, t.text(s, path.Index(i)))
	}
	return out
}

// commands renders a script, each entry trimmed and empty ones dropped.
func (t *renderer) commands(list []string, path hclspec.Path) []string {
	var out []string
	for i, s := range list {
		if s = strings.TrimSpace(t.text(s, path.Index(i))); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func (t *renderer) environment(m map[string]string, path hclspec.Path) map[string]string {
	out := make(map[string]string, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out[k] = t.text(m[k], path.Key(k))
	}
	return out
}

// object renders every text in a free value.
func (t *renderer) object(m map[string]any, path hclspec.Path) map[string]any {
	if len(m) == 0 {
		return nil
	}
	return mapTexts(m, path, t.text).(map[string]any)
}

func (t *renderer) unresolved(tag template.Tag, text string, at hcl.Range) {
	r := t.role.r
	if tag.Ref.Root == "secrets" && tag.Err == nil {
		r.reportAt(r.severity(hclspec.UnknownSecret, hclspec.UnknownSecretImported), at, "%s refers to %s, but no such secret is declared.%s",
			upperFirst(t.owner), quoteTag(tag, text), hclspec.Suggest(lastKey(tag.Ref), r.knownSecrets()))
		return
	}
	if tag.Err != nil && !meantAsReference(text[tag.Start:]) {
		r.reportAt(hclspec.SuspiciousTag, at, "%s has a %s that begins no reference; it stays as it is. Write <%%%% for a literal <%%.", upperFirst(t.owner), quoteTag(tag, text))
		return
	}
	r.reportAt(r.severity(hclspec.UnresolvedReference, hclspec.UnresolvedImported), at, "%s has the reference %s, which %s.%s", upperFirst(t.owner), quoteTag(tag, text), t.reason(tag), t.suggestion(tag))
}

// severity chooses the error for jobs written in our own language, and the
// warning for those written for OpenPAI.
func (r *resolver) severity(strict, imported *hclspec.Entry) *hclspec.Entry {
	if r.strict && !r.in.Loose {
		return strict
	}
	return imported
}

// reason ends the sentence about a reference without a value.
func (t *renderer) reason(tag template.Tag) string {
	if tag.Err != nil {
		return tag.Err.Error()
	}
	switch root := tag.Ref.Root; root {
	case "parameters":
		known := slices.Sorted(maps.Keys(t.role.r.job.Parameters))
		return "names no parameter of the job; it declares " + listOr(known, "none")
	case "data", "script", "output":
		if i := t.role.contexts[root]; i != nil {
			return "names no field of " + i.address
		}
		return "has no value here, since " + t.role.name + " names no " + root + " prerequisite in its field " + root
	case "this":
		if strings.HasPrefix(t.owner, "task role ") || strings.HasPrefix(t.owner, "plugin.") {
			return "has a meaning in a prerequisite only"
		}
		return "is a parameter neither of " + t.owner + " nor of what it requires"
	}
	return "begins with an unknown context; known are $parameters, $secrets, $data, $script, $output and this"
}

func (t *renderer) suggestion(tag template.Tag) string {
	if tag.Ref.Root != "parameters" || tag.Err != nil {
		return ""
	}
	return hclspec.Suggest(firstKey(tag.Ref), slices.Sorted(maps.Keys(t.role.r.job.Parameters)))
}

var referenceStart = regexp.MustCompile(`^<%\s*(\$|this\b|[A-Za-z_][A-Za-z0-9_.\[\]]*\s*%>)`)

// meantAsReference tells a mistyped reference from text such as printf '<%s>'.
func meantAsReference(text string) bool { return referenceStart.MatchString(text) }

// quoteTag shows a tag as it is written; of one that is not closed, its first
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

func lastKey(ref template.Ref) string {
	if len(ref.Path) == 0 {
		return ""
	}
	key, _ := ref.Path[len(ref.Path)-1].(string)
	return key
}
