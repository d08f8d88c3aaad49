// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/hcl/v2"
)

// CheckField checks a decoded value against the field table: enumerations,
// bounds of numbers, patterns of strings. It accepts nil pointers, values of
// a different Go type than the field, and values of a kind without rules.
// Each diagnostic has the position of the path, or of the invalid element in
// a list or map.
func CheckField(f *Field, value any, path Path, sources SourceMap) hcl.Diagnostics {
	var diags hcl.Diagnostics
	switch v := value.(type) {
	case string:
		diags = append(diags, checkText(f, f.Name, v, sources.Range(path))...)
	case *string:
		if v != nil {
			return CheckField(f, *v, path, sources)
		}
	case int:
		diags = append(diags, checkNumber(f, f.Name, v, sources.Range(path))...)
	case *int:
		if v != nil {
			return CheckField(f, *v, path, sources)
		}
	case Duration:
		return checkDuration(f, v, sources.Range(path))
	case []string:
		if f.NonEmpty && f.Required && len(v) == 0 {
			diags = append(diags, ValueOutOfRange.At(sources.Range(path), "%s must not be an empty list.", f.Name))
		}
		for i, text := range v {
			diags = append(diags, checkText(f, fmt.Sprintf("%s[%d]", f.Name, i), text, sources.Range(path.Index(i)))...)
		}
	case map[string]int:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			at := sources.Range(path.Key(key))
			diags = append(diags, checkPattern(f, "A key of "+f.Name, key, at)...)
			diags = append(diags, checkNumber(f, fmt.Sprintf("%s[%q]", f.Name, key), v[key], at)...)
		}
	case map[string]string:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			diags = append(diags, checkPattern(f, "A key of "+f.Name, key, sources.Range(path.Key(key)))...)
		}
	}
	return diags
}

func checkText(f *Field, name, text string, at hcl.Range) hcl.Diagnostics {
	if f.Required && f.Kind == String && f.Pattern == "" && text == "" {
		return hcl.Diagnostics{InvalidSpelling.At(at, "%s is empty. %s", name, f.Doc)}
	}
	if f.Format == FormatDuration {
		return checkFilledDuration(f, text, at)
	}
	if len(f.Values) == 0 {
		return checkPattern(f, name, text, at)
	}
	for _, allowed := range f.Values {
		if text == allowed {
			return nil
		}
	}
	return hcl.Diagnostics{ValueNotAllowed.At(at, "%[1]s must be %[3]s, but is %[2]q.%[4]s", name, text, oneOf(f.Values), Suggest(text, f.Values))}
}

// oneOf formats values like this: "a", "b" or "c".
func oneOf(values []string) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = strconv.Quote(v)
	}
	last := len(quoted) - 1
	if last == 0 {
		return quoted[0]
	}
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}

func checkNumber(f *Field, name string, n int, at hcl.Range) hcl.Diagnostics {
	if f.Min != nil && n < *f.Min || f.Max != nil && n > *f.Max {
		return hcl.Diagnostics{OutOfRange(f, name, strconv.Itoa(n), at)}
	}
	return nil
}

// OutOfRange reports an integer that the field does not accept. written is a
// string, because the number can be too large for an int.
func OutOfRange(f *Field, name, written string, at hcl.Range) *hcl.Diagnostic {
	if strings.HasPrefix(written, "-") || written == "0" {
		return ValueOutOfRange.At(at, "%[1]s must be at least %[3]d, but is %[2]s.", name, written, *f.Min)
	}
	return ValueOutOfRange.At(at, "%[1]s must be at most %[3]d, but is %[2]s.", name, written, *f.Max)
}

// MaxDuration is the longest duration that Kubernetes accepts for a Pod. The
// seconds must fit into a 32-bit integer.
const MaxDuration = Duration(math.MaxInt32 * time.Second)

func checkDuration(f *Field, d Duration, at hcl.Range) hcl.Diagnostics {
	if d > MaxDuration {
		return hcl.Diagnostics{ValueOutOfRange.At(at, "%[1]s must be at most %[3]s, but is %[2]s.", f.Name, d, MaxDuration)}
	}
	return nil
}

// checkFilledDuration skips strings with template variables or references,
// which are filled in later.
func checkFilledDuration(f *Field, text string, at hcl.Range) hcl.Diagnostics {
	if text == "" || strings.Contains(text, "{{") || strings.Contains(text, "<%") {
		return nil
	}
	d, err := ParseDuration(text)
	if err != nil {
		return hcl.Diagnostics{InvalidSpelling.At(at, "%s is %q, but %s.", f.Name, text, err)}
	}
	return checkDuration(f, d, at)
}

// patternWords maps patterns in the field table to their descriptions in
// messages.
var patternWords = map[string]string{
	directoryPattern: "a relative path of letters, digits, dots, hyphens and underscores, in which no part begins with a dot",
	namePattern:      "one or more letters, digits, hyphens or underscores",
	rolePattern:      "a name of letters, digits and underscores that does not begin with a digit",
}

// patterns caches the compiled patterns from the field table.
var patterns sync.Map

func checkPattern(f *Field, name, text string, at hcl.Range) hcl.Diagnostics {
	if f.Pattern == "" {
		return nil
	}
	re, ok := patterns.Load(f.Pattern)
	if !ok {
		re, _ = patterns.LoadOrStore(f.Pattern, regexp.MustCompile(f.Pattern))
	}
	if re.(*regexp.Regexp).MatchString(text) {
		return nil
	}
	form, known := patternWords[f.Pattern]
	if !known {
		form = "a string that matches " + f.Pattern
	}
	return hcl.Diagnostics{InvalidSpelling.At(at, "%[1]s must be %[3]s, but is %[2]q.", name, text, form)}
}
