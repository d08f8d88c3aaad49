// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestTokensOfMarketplacesComeFromTheEnvironment(t *testing.T) {
	t.Parallel()
	environ := []string{"OPENPAI_MARKETPLACE_TOKEN_MY_TEAM= hunter2 ", "OWN=from the secret"}
	ws := &hclspec.Workspace{Secrets: []*hclspec.Secret{{Name: "own", Env: "OWN"}}}
	l := &Loaded{Workspace: ws, environ: environ}
	for name, c := range map[string]struct {
		market hclspec.Marketplace
		want   string
	}{
		"a marketplace without a token":                           {hclspec.Marketplace{Name: "my-team"}, "hunter2"},
		"a marketplace without a token and variable":              {hclspec.Marketplace{Name: "other"}, ""},
		"a token in the block takes precedence over the variable": {hclspec.Marketplace{Name: "my-team", Token: "<% $secrets.own %>"}, "from the secret"},
	} {
		if got, err := l.marketplaceToken(&c.market); err != nil || got != c.want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestMarketplaceOptionsAreValidatedWithoutPrintingCredentials(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "main.pai.hcl")
	if err := os.WriteFile(file, []byte("marketplace \"team\" {\n  source = \"https://example.org/items.yml\"\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ arguments, want string }{
		"the same name and source twice declares one marketplace": {"team=https://example.org/items.yml", ""},
		"the same name with another source":                       {"team=https://example.org/other.yml", `The marketplace "team" is already declared`},
		"another spelling of the same source":                     {"team=items::https://example.org/items.yml", ""},
		"a user in a source is not printed":                       {"own=https://hunter2@example.org/items.yml", "Set OPENPAI_MARKETPLACE_TOKEN_OWN instead."},
		"a credential in a source is not printed":                 {"own=https://example.org/items.yml?token=hunter2", "Set OPENPAI_MARKETPLACE_TOKEN_OWN instead."},
		"a credential without a name is not printed":              {"https://example.org/items.yml?token=hunter2", "contains a credential"},
	} {
		loaded, diags := Load(Options{Path: dir, Marketplaces: []string{c.arguments}})
		text := diags.Error()
		switch {
		case strings.Contains(text, "hunter2"):
			t.Errorf("%s: %s", name, text)
		case c.want == "" && (diags.HasErrors() || len(loaded.Workspace.Marketplaces) != 1):
			t.Errorf("%s: %v, %d marketplaces", name, diags, len(loaded.Workspace.Marketplaces))
		case c.want != "" && !strings.Contains(text, c.want):
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestADeclaredCredentialIsNeverPrinted(t *testing.T) {
	t.Parallel()
	for name, source := range map[string]string{
		"in the query":                  "https://example.org/items.yml?token=hunter2",
		"as a user":                     "https://hunter2@example.org/items.yml",
		"as a password":                 "git::ssh://git:hunter2@example.org/items.git",
		"in a string that is not a URL": "https://x:hunter2@example.org/%zz",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			text := "marketplace \"team\" {\n  source = \"" + source + "\"\n}\n"
			if err := os.WriteFile(filepath.Join(dir, "main.pai.hcl"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, further := range [][]string{nil, {"team=./other"}} {
				_, diags := Load(Options{Path: dir, Marketplaces: further})
				var text string
				for _, d := range diags {
					text += d.Error() + "\n"
				}
				if !strings.Contains(text, "OPENPAI_MARKETPLACE_TOKEN_TEAM") || strings.Contains(text, "hunter2") {
					t.Errorf("with %q: %s", further, text)
				}
			}
		})
	}
}
