// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// strictCodes are the codes of diagnostics that are errors in HCL and warnings
// in YAML.
var strictCodes = []string{hclspec.UnresolvedReference.Code, hclspec.UnknownSecret.Code, hclspec.UppercaseImage.Code, hclspec.DeploymentForUnknownRole.Code}

// keepStrict keeps a job in YAML if the job would be invalid in HCL, or if
// the directory already declares one of the job's secret names. keepStrict
// prints the reason.
func (o *importOptions) keepStrict(c *conversion, there *hclspec.Workspace) error {
	strict := c.strictDiagnostics()
	taken := slices.DeleteFunc(slices.Clone(c.kept), func(s *hclspec.Secret) bool { return there.Secret(s.Name) == nil })
	if len(strict)+len(taken) == 0 {
		return nil
	}
	if err := c.keepYAML(); err != nil {
		return err
	}
	fmt.Fprintf(o.streams.err, "Note: job %s remains YAML in %s, which %s includes. To convert the job, fix these problems in %s, and then import the file again with --force:\n", c.name, c.yamlFile(), c.hclFile(), c.from)
	for _, s := range taken {
		fmt.Fprintf(o.streams.err, "  Rename the secret %s: %s already declares a secret with this name.\n", s.Name, shownDirectory(c.dir))
	}
	for _, d := range strict {
		fmt.Fprintf(o.streams.err, "  %s: %s [%s]\n", position(d), c.loaded.mask(d.Detail), hclspec.Code(d))
	}
	return nil
}

// strictDiagnostics returns the errors that the job has only in HCL.
func (c *conversion) strictDiagnostics() hcl.Diagnostics {
	ws := *c.part.Workspace
	ws.Sources = c.loaded.loaded.Workspace.Sources
	diags := hclspec.Validate(&ws)
	_, more := resolve.All(resolve.Input{Workspace: &ws, User: currentUser()})
	return slices.DeleteFunc(append(diags, more...), func(d *hcl.Diagnostic) bool {
		return d.Severity != hcl.DiagError || !slices.Contains(strictCodes, hclspec.Code(d))
	})
}

func position(d *hcl.Diagnostic) string {
	if d.Subject == nil {
		return "unknown position"
	}
	return fmt.Sprintf("%s:%d", d.Subject.Filename, d.Subject.Start.Line)
}

// keepYAML replaces the job with a protocol block that includes a copy of the file. The
// copy does not contain secret values; the protocol block declares their sources.
func (c *conversion) keepYAML() error {
	src := c.loaded.loaded.Files[filepath.Clean(c.from)]
	text, err := protocol.WithoutSecrets(c.from, src)
	if err != nil {
		return fmt.Errorf("cannot copy %s: %w", c.from, err)
	}
	c.yaml = c.withMaskedComments(src, text)
	block := &hclspec.Protocol{Label: c.name, File: filepath.Base(c.yamlFile()), Secrets: c.kept}
	c.part = &syntax.Part{Workspace: &hclspec.Workspace{Marketplaces: c.part.Workspace.Marketplaces, Protocols: []*hclspec.Protocol{block}, Sources: hclspec.SourceMap{}}}
	c.comments, c.explicit = nil, nil
	return nil
}

// withMaskedComments masks secret values in a file's comments. src is the original
// file.
func (c *conversion) withMaskedComments(src, text []byte) []byte {
	ws := c.loaded.loaded.Workspace
	for _, comment := range protocol.Comments(&protocol.File{Job: ws.Jobs[0], Sources: ws.Sources}, c.from, src) {
		for _, line := range slices.Concat(comment.Above, comment.Below, []string{comment.Beside}) {
			if masked := c.loaded.mask(line); masked != line {
				text = bytes.ReplaceAll(text, []byte(line), []byte("# "+strings.TrimPrefix(masked, "# ")))
			}
		}
	}
	return text
}
