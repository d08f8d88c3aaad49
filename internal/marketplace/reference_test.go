// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAReferenceHasOneCanonicalSpelling(t *testing.T) {
	t.Parallel()
	for text, c := range map[string]struct {
		want  Reference
		again string // the canonical spelling, or "" if it is identical to text
	}{
		"marketplace://name/mnist":                      {Reference{Name: "mnist"}, ""},
		"marketplace://data/mnist":                      {Reference{Type: "data", Name: "mnist"}, ""},
		"marketplace://job/train":                       {Reference{Type: "job", Name: "train"}, ""},
		"marketplace://name/Couplet%20Dataset":          {Reference{Name: "Couplet Dataset"}, ""},
		"marketplace://prerequisites/itemId/1":          {Reference{ID: "1"}, ""},
		"marketplace://prerequisites/itemId/dir%2Ffile": {Reference{ID: "dir/file"}, ""},
		"marketplace://name/x?version=1.2&from=team":    {Reference{Name: "x", From: "team", Version: "1.2"}, "marketplace://name/x?from=team&version=1.2"},
		"https://example.org/items.yml#x":               {Reference{URL: "https://example.org/items.yml", Name: "x"}, ""},
		"https://example.org/item.yml?raw=1":            {Reference{URL: "https://example.org/item.yml?raw=1"}, ""},
	} {
		got, err := ParseReference(text)
		if err != nil {
			t.Errorf("%s: %s", text, err)
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", text, diff)
		}
		want := text
		if c.again != "" {
			want = c.again
		}
		if got.String() != want {
			t.Errorf("the canonical spelling of %s is %s, want %s", text, got, want)
		}
	}
}

func TestInvalidReferencesAreErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"mnist":                               "must begin with",
		"marketplace://name/":                 "does not contain an item name or ID",
		"marketplace://dta/mnist":             `Did you mean "data"?`,
		"marketplace://team/job/x":            "; write marketplace://job/x?from=team for an item in the marketplace team",
		"marketplace://team/x":                "; write marketplace://name/x?from=team for an item in the marketplace team",
		"marketplace://wget":                  "; write marketplace://name/wget",
		"marketplace://name/x?form=team":      `unknown option "form"`,
		"https://user:pass@example.org/x.yml": "contains a credential",
		"https:///x.yml":                      "is not a URL",
	} {
		_, err := ParseReference(text)
		if !Is(err, InvalidItemReference) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want an error that contains %q", text, err, want)
		}
	}
}

// FuzzParseReference checks that the canonical spelling of a reference parses
// to the same reference.
func FuzzParseReference(f *testing.F) {
	for _, seed := range []string{"marketplace://name/x?from=a&version=1", "marketplace://prerequisites/itemId/a%2Fb", "https://example.org/x.yml#y", "marketplace://data/%zz"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ref, err := ParseReference(text)
		if err != nil || ref.URL != "" {
			return
		}
		again, err := ParseReference(ref.String())
		if err != nil || again != ref {
			t.Errorf("%q is %+v, written as %q, which is %+v (%v)", text, ref, ref, again, err)
		}
	})
}
