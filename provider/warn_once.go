// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// warnings records the warnings that a plan has shown. Each warning must
// appear only once, but every job reports the warnings, and Terraform plans a
// replacement twice.
type warnings struct {
	mu    sync.Mutex
	shown map[string]bool
}

// first reports whether a warning is new, and records the warning.
func (w *warnings) first(summary, detail string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.shown == nil {
		w.shown = map[string]bool{}
	}
	key := summary + "\n" + detail
	defer func() { w.shown[key] = true }()
	return !w.shown[key]
}

// warn adds a warning unless the plan has already shown the warning.
func (w *warnings) warn(diags *diag.Diagnostics, summary, detail string) {
	if w.first(summary, detail) {
		diags.AddWarning(summary, detail)
	}
}

// news returns the diagnostics without warnings that the plan has already
// shown. Warnings that differ only in the job's address are treated as
// duplicates.
func (w *warnings) news(found hcl.Diagnostics, job hclspec.Address) hcl.Diagnostics {
	kept := found[:0:0]
	for _, d := range found {
		if d.Severity != hcl.DiagWarning || w.first(d.Summary, strings.ReplaceAll(d.Detail, string(job), "job")) {
			kept = append(kept, d)
		}
	}
	return kept
}
