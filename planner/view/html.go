// SPDX-License-Identifier: MPL-2.0

package view

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// HTMLFirstLine is the first line of every page that [HTML] writes. It
// identifies such pages.
const HTMLFirstLine = "<!doctype html><!-- plan of openpai -->"

var (
	//go:embed page/page.html
	pageTemplate string
	//go:embed page/page.css
	pageStyle string
	//go:embed page/page.js
	pageScript string
)

var page = template.Must(template.New("page").Parse(pageTemplate))

// htmlDocument is the input of the page template.
type htmlDocument struct {
	*htmlPlan
	Style  template.CSS
	Script template.JS
	// ContentSecurityPolicy permits only the page's style and script,
	// identified by their hashes. The page cannot send requests.
	ContentSecurityPolicy string
}

// HTML writes a plan as a self-contained page. The page contains the summary,
// diagnostics, changes by cause, totals and graph. Text from declarations is
// escaped. phrase returns the text for the facts in the plan. The same plan
// always produces the same page.
func HTML(w io.Writer, p *planner.Plan, phrase message.Phrase) error {
	d := htmlDocument{
		htmlPlan: newHTMLPlan(p, phrase),
		Style:    template.CSS(pageStyle), Script: template.JS(pageScript), //nolint:gosec // files of this package
		ContentSecurityPolicy: contentSecurityPolicy(pageStyle, pageScript),
	}
	var b strings.Builder
	b.WriteString(HTMLFirstLine + "\n")
	if err := page.Execute(&b, d); err != nil {
		return fmt.Errorf("render the plan as HTML: %w", err)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func contentSecurityPolicy(style, script string) string {
	return fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'",
		sourceHash(style), sourceHash(script))
}

func sourceHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
