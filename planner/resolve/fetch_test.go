// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestInvalidFetchesAreErrors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fetch hclspec.Fetch
		want  string
	}{
		"a file of the workspace":       {hclspec.Fetch{URL: "data/x.csv", To: "x"}, ""},
		"a server":                      {hclspec.Fetch{URL: "https://example.org/x.tar", To: "x", Extract: true, Strip: 1, Auth: "Bearer x"}, ""},
		"a repository":                  {hclspec.Fetch{URL: "git::https://example.org/r.git//d?ref=v1", To: "x", Strip: 1}, ""},
		"an address that is not known":  {hclspec.Fetch{URL: "https://<% $secrets.nobody %>/x", To: "x"}, "unknown-secret 0: prerequisite.script.p"},
		"another scheme":                {hclspec.Fetch{URL: "ftp://u:p@example.org/x", To: "x"}, "invalid-fetch 0: prerequisite.script.p has a fetch of ftp://example.org/x: it must be an absolute path, or an http, https, file or git:: URL."},
		"a repository without a commit": {hclspec.Fetch{URL: "git::https://example.org/r.git", To: "x"}, "invalid-fetch 0: prerequisite.script.p has a fetch of git::https://example.org/r.git: a git URL must end with ?ref="},
		"a repository with a digest":    {hclspec.Fetch{URL: "git::https://example.org/r.git?ref=v1", SHA256: strings.Repeat("0", 64), To: "x"}, "invalid-fetch 0: prerequisite.script.p has a fetch of a git repository with a sha256."},
		"strip without extract":         {hclspec.Fetch{URL: "https://example.org/x.tar", To: "x", Strip: 1}, "invalid-fetch 0: prerequisite.script.p has a fetch with strip but without extract."},
		"auth for a file":               {hclspec.Fetch{URL: "x.tar", To: "x", Auth: "Bearer x"}, "invalid-fetch 0: prerequisite.script.p has a fetch of a local file with the argument auth"},
		"no target":                     {hclspec.Fetch{URL: "x.tar", To: " "}, "invalid-fetch 0: prerequisite.script.p has a fetch with an empty to."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := script("p")
			p.Fetch = []*hclspec.Fetch{&c.fetch}
			_, diags := All(Input{Workspace: workspace([]*hclspec.Prerequisite{p}, jobOf(uses("p")))})
			got := strings.TrimSpace(diagnostics(diags))
			if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
				t.Errorf("diagnostics (-want +got)\n%s", cmp.Diff(c.want, got))
			}
		})
	}
}
