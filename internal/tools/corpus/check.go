// SPDX-License-Identifier: MPL-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// result contains the diagnostics for a checked file. problem is "" if the file
// behaved as expected.
type result struct {
	diags   hcl.Diagnostics
	problem string
}

func check(f file) result {
	if f.want == readItems {
		return checkItems(f)
	}
	loaded, diags := workspace.Load(workspace.Options{Path: f.path})
	var jobs []*resolve.Job
	if !diags.HasErrors() {
		var more hcl.Diagnostics
		jobs, more = resolve.All(resolve.Input{Workspace: loaded.Workspace, User: "corpus"})
		diags = append(diags, more...)
	}
	if !diags.HasErrors() {
		diags = append(diags, renderAll(jobs, loaded.Workspace.Sources)...)
	}
	r := result{diags: diags}
	switch f.want {
	case accept:
		r.problem = firstError(diags)
		if r.problem == "" {
			r.problem = roundTrip(loaded.Workspace, comments(loaded, f.path))
		}
	case reject:
		r.problem = missesCause(f.cause, diags)
	}
	return r
}

func checkItems(f file) result {
	src, err := os.ReadFile(f.path)
	if err != nil {
		return result{problem: err.Error()}
	}
	parsed, diags := protocol.Parse(f.path, src)
	r := result{diags: diags, problem: firstError(diags)}
	if r.problem == "" && len(parsed.Items) == 0 {
		r.problem = "holds no item"
	}
	return r
}

func comments(loaded *workspace.Loaded, path string) []hclspec.Comment {
	src := loaded.Files[filepath.Clean(path)]
	parsed, _ := protocol.Parse(path, src)
	if parsed == nil {
		return nil
	}
	return protocol.Comments(parsed, path, src)
}

func renderAll(jobs []*resolve.Job, sources hclspec.SourceMap) hcl.Diagnostics {
	var diags hcl.Diagnostics
	for _, job := range jobs {
		_, more := render.Objects(job, render.Target{RuntimeImage: "runtime.example/openpai-runtime:v1", Sources: sources})
		diags = append(diags, more...)
	}
	return diags
}

func firstError(diags hcl.Diagnostics) string {
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			return describe(d)
		}
	}
	return ""
}

func describe(d *hcl.Diagnostic) string {
	line := 0
	if d.Subject != nil {
		line = d.Subject.Start.Line
	}
	return fmt.Sprintf("line %d: %s: %s", line, d.Summary, strings.Join(strings.Fields(hclspec.Detail(d, phrase.Of)), " "))
}

var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_-]{3,}`)

// missesCause returns a problem if there is no error, or if the first error
// contains no significant word of cause.
func missesCause(cause string, diags hcl.Diagnostics) string {
	first := firstError(diags)
	if first == "" {
		return "accepted, though " + cause
	}
	stated, _, _ := strings.Cut(cause, " [authority")
	said := strings.ToLower(first)
	for _, w := range word.FindAllString(stated, -1) {
		if !common[strings.ToLower(w)] && strings.Contains(said, strings.ToLower(w)) {
			return ""
		}
	}
	return fmt.Sprintf("the first error is %q, but the expected cause is: %s", first, stated)
}

// common contains words that are too general to identify a cause.
var common = map[string]bool{
	"does": true, "match": true, "with": true, "must": true, "that": true, "should": true, "have": true,
	"every": true, "task": true, "role": true, "neither": true, "string": true, "unknown": true, "valid": true,
	"exist": true, "prerequisite": true, "becomes": true,
}
