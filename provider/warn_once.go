// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// warnings are the warnings that a plan has shown. They are recorded because
// every job reports the same warnings, and Terraform plans a replacement twice.
type warnings struct {
	mu    sync.Mutex
	shown map[string]bool
}

// first reports whether a warning is new.
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

// warn adds a warning about all jobs, once.
func (w *warnings) warn(diags *diag.Diagnostics, summary, detail string) {
	if w.first(summary, detail) {
		diags.AddWarning(summary, detail)
	}
}

// news returns the diagnostics without warnings that were already shown for
// another job. Two warnings that differ only in the address of the job are equal.
func (w *warnings) news(found hcl.Diagnostics, job hclspec.Address) hcl.Diagnostics {
	kept := found[:0:0]
	for _, d := range found {
		if d.Severity != hcl.DiagWarning || w.first(d.Summary, strings.ReplaceAll(d.Detail, string(job), "job")) {
			kept = append(kept, d)
		}
	}
	return kept
}
