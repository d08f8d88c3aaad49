// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/locator"
	"github.com/openpai/terraform-provider-openpai/internal/template"
)

// fetch renders the fields of a fetch block. It reports an error if the
// download can never succeed.
func (t *renderer) fetch(f *hclspec.Fetch) *Fetch {
	r := *f
	r.URL, r.SHA256 = t.render(f.URL, f.Path.Attr("url")), t.render(f.SHA256, f.Path.Attr("sha256"))
	r.To, r.Auth = t.render(f.To, f.Path.Attr("to")), t.render(f.Auth, f.Path.Attr("auth"))
	if !t.silent && len(template.Tags(r.URL)) == 0 {
		t.checkFetch(f, &r)
	}
	return &r
}

// checkFetch reports invalid arguments of a fetch whose URL is known.
func (t *renderer) checkFetch(f *hclspec.Fetch, r *Fetch) {
	report := func(field, format string, args ...any) {
		t.reportAt(InvalidFetch, t.sources.Range(f.Path.Attr(field)), "%s has a fetch "+format, append([]any{upperFirst(t.owner)}, args...)...)
	}
	var l locator.Locator
	if !locator.IsRelative(r.URL) {
		var err error
		if l, err = locator.Parse(r.URL); err != nil {
			report("url", "of %s: %s.", locator.Show(r.URL), err)
			return
		}
	}
	git := l.Kind == locator.Git
	switch {
	case git && r.SHA256 != "":
		report("sha256", "of a git repository with a sha256. Remove sha256: a commit in ref pins the repository.")
	case r.Strip > 0 && !r.Extract && !git:
		report("strip", "with strip but without extract. strip has an effect only if the runtime extracts an archive. Add extract = true, or remove strip.")
	}
	if l.Kind != locator.HTTP && !git && r.Auth != "" {
		report("auth", "of a local file with the argument auth, which applies only to downloads from servers. Remove auth.")
	}
	if strings.TrimSpace(r.To) == "" {
		report("to", "with an empty to. Set it to the path of a file or directory.")
	}
}
