// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner/policy"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// Exit codes of openpai itself, in addition to the exit codes of jobs.
const (
	exitOK          = 0
	exitFailed      = 1   // the command failed, or the user did not confirm
	exitChanges     = 2   // plan --detailed-exitcode: there are changes
	exitDenied      = 3   // a policy denies the plan
	exitJobsFailed  = 4   // plan --fail-on failed: a job failed
	exitDrift       = 4   // drift: a job differs from its applied configuration
	exitTimeout     = 124 // wait: timeout
	exitTool        = 125 // openpai itself failed, not the job
	exitInterrupted = 130
)

// exitError ends the program with a code. If err is nil, the command has already
// printed its messages.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// exitWith returns an error that ends the program with the given exit code and prints
// nothing. It returns nil for code 0.
func exitWith(code int) error {
	if code == exitOK {
		return nil
	}
	return &exitError{code: code}
}

// stalledAsTool maps the error for a stalled job to exitTool. The job has not
// failed, and waiting longer would not help.
func stalledAsTool(err error) error {
	if errors.Is(err, cluster.ErrStalled) {
		return &exitError{exitTool, err}
	}
	return err
}

// diagnosticsError is an error that holds diagnostics; [Main] prints them.
type diagnosticsError struct {
	diags hcl.Diagnostics
	// files are the sources of the diagnostics, and mask hides the secrets in them;
	// both may be nil.
	files map[string][]byte
	mask  func(line string) string
	// If detail is true, the diagnostics of each instance are printed
	// separately.
	detail bool
}

func (f *diagnosticsError) Error() string { return f.diags.Error() }

// failureCode returns the exit code for a command whose error does not set one.
func failureCode(cmd *cobra.Command) int {
	if cmd != nil && cmd.Annotations[annotationFailure] == "tool" {
		return exitTool
	}
	return exitFailed
}

// annotationFailure marks commands that return the exit code of a job or of a command
// in a task. If the value is "tool" and openpai itself fails, the exit code is
// exitTool.
const annotationFailure = "failure"

func report(s *Streams, cmd *cobra.Command, err error) int {
	var exit *exitError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &exit):
		if exit.err != nil {
			showError(s, exit.err)
		}
		return exit.code
	case errors.Is(err, context.Canceled):
		showInterrupted(s, err)
		return exitInterrupted
	}
	showError(s, err)
	if code := failureCode(cmd); code != exitFailed || !denied(err) {
		return code
	}
	return exitDenied
}

// denied reports whether all errors are policy violations.
func denied(err error) bool {
	if several, ok := err.(interface{ Unwrap() []error }); ok && len(several.Unwrap()) > 1 {
		return false
	}
	var found *diagnosticsError
	if !errors.As(err, &found) {
		return false
	}
	for _, d := range found.diags {
		if d.Severity == hcl.DiagError && !policy.Is(hclspec.Code(d)) {
			return false
		}
	}
	return true
}

// showInterrupted prints the errors that the interruption did not cause. It
// then prints the message "Interrupted", with the interrupted requests as
// details.
func showInterrupted(s *Streams, err error) {
	all := joined(err)
	if len(all) == 0 {
		all = []error{err}
	}
	var details []string
	for _, one := range all {
		if !errors.Is(one, context.Canceled) {
			showError(s, one)
		} else if text, found := strings.CutSuffix(phrase.Error(one), ": "+innermost(one).Error()); found {
			details = append(details, strings.TrimSpace(text))
		}
	}
	if s.json != nil { // the document has the details
		s.json.report(view.Diagnostic{Severity: view.SeverityError, Summary: "Interrupted", Detail: strings.Join(details, "\n")})
	}
	fmt.Fprintln(s.err, "Interrupted.")
	if s.json != nil {
		return
	}
	for _, d := range details {
		fmt.Fprintf(s.err, "  %s\n", output.Escape(d))
	}
}

// innermost returns the innermost wrapped error, such as the signal.
func innermost(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

func showError(s *Streams, err error) {
	if s.json != nil {
		s.json.report(errorDiagnostics(err)...)
		return
	}
	var found *diagnosticsError
	if errors.As(err, &found) {
		showDiagnostics(s, found)
		return
	}
	var known interface{ Entry() *hclspec.Entry }
	if errors.As(err, &known) {
		showDiagnostics(s, &diagnosticsError{diags: hcl.Diagnostics{explained(err, known.Entry())}})
		return
	}
	fmt.Fprintf(s.err, "Error: %s\n", output.Escape(phrase.Error(err)))
}
