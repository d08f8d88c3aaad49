package view

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// HTMLFirstLine is the first line of each page that [HTML] writes, and of no other.
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

// htmlDocument is what the page is made from.
type htmlDocument struct {
	*htmlPlan
	Style  template.CSS
	Script template.JS
	// ContentSecurityPolicy permits the style and the script of the page by their
	// hashes, and nothing else: no request leaves the page.
	ContentSecurityPolicy string
}

// HTML shows a plan as one page that needs no other file: the summary, the
// diagnostics, the changes by cause, the sums and the graph. Everything from
// declarations is text in it. The same plan gives the same bytes.
func HTML(w io.Writer, p *planner.Plan) error {
	d := htmlDocument{
		htmlPlan: newHTMLPlan(p),
		Style:    template.CSS(pageStyle), Script: template.JS(pageScript), //nolint:gosec // files of this package
		ContentSecurityPolicy: contentSecurityPolicy(pageStyle, pageScript),
	}
	var b strings.Builder
	b.WriteString(HTMLFirstLine + "\n")
	if err := page.Execute(&b, d); err != nil {
		return fmt.Errorf("show the plan as HTML: %w", err)
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
