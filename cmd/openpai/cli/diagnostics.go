// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/redact"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// showDiagnostics prints diagnostics with their source lines.
func showDiagnostics(s *Streams, found *diagnosticsError) {
	if s.json != nil {
		s.json.report(view.NewDiagnostics(found.diags, phrase.Of)...)
		return
	}
	err := view.Diagnostics(s.err, found.diags, found.files, view.DiagnosticOptions{Phrase: phrase.Of, Color: s.errColor, Width: s.width, Mask: found.mask, Detail: found.detail})
	if err != nil {
		fmt.Fprintf(s.err, "Error: show diagnostics: %s\n", err)
	}
}

// show prints diagnostics about the project's files.
func (p *project) show(s *Streams, diags hcl.Diagnostics) {
	showDiagnostics(s, p.found(diags))
}

// mask hides secrets in a source line, because protocol YAML may contain secrets. It
// hides each line of a secret value separately. If such a line is too short to be
// distinctive, mask hides the whole source line.
func (p *project) mask(line string) string {
	for _, value := range inlineSecrets(p.loaded.Workspace) {
		for part := range strings.Lines(value) {
			part = strings.TrimSpace(part)
			if part != "" && !redact.Maskable(part) && strings.Contains(line, part) {
				return "***"
			}
			line = redact.New(part).String(line)
		}
	}
	return line
}

func inlineSecrets(ws *hclspec.Workspace) []string {
	var values []string
	add := func(secrets []*hclspec.Secret) {
		for _, s := range secrets {
			if s.Value != nil {
				values = append(values, s.Value.Reveal())
			}
		}
	}
	add(ws.Secrets)
	for _, j := range ws.Jobs {
		add(j.Secrets)
	}
	return values
}
