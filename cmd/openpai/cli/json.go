// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// jsonOutput is the --json output of a command: one document at the end of the command,
// or one event per line. It includes errors and warnings.
type jsonOutput struct {
	events   *eventWriter      // nil: the output is a document
	document document.Document // nil: the command has no document

	mu    sync.Mutex
	diags []view.Diagnostic // without duplicates
}

// show sets the document that is printed at the end of the command.
func (j *jsonOutput) show(d document.Document) { j.document = d }

// report adds diagnostics, without duplicates.
func (j *jsonOutput) report(diags ...view.Diagnostic) {
	for _, d := range diags {
		if j.add(d) && j.events != nil {
			j.events.diagnostic(d)
		}
	}
}

// add adds a diagnostic and reports whether it is new.
func (j *jsonOutput) add(d view.Diagnostic) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if slices.ContainsFunc(j.diags, func(known view.Diagnostic) bool { return sameDiagnostic(known, d) }) {
		return false
	}
	j.diags = append(j.diags, d)
	return true
}

// plan prints the plan event, including its diagnostics.
func (j *jsonOutput) plan(p *planner.Plan) {
	d := view.NewPlanDocument(p, phrase.Of)
	for _, one := range d.Diagnostics {
		j.add(one)
	}
	j.events.plan(p, d)
}

func sameDiagnostic(a, b view.Diagnostic) bool {
	if (a.Range == nil) != (b.Range == nil) || a.Range != nil && *a.Range != *b.Range {
		return false
	}
	return a.Severity == b.Severity && a.Code == b.Code && a.Summary == b.Summary && a.Detail == b.Detail
}

// finish prints the document or the last event. Without a document, or after an early
// failure, it prints only diagnostics.
func (j *jsonOutput) finish(out io.Writer, code int) error {
	if j.events != nil {
		j.events.summary(code, j.diags)
		return nil
	}
	if partial, ok := j.document.(document.Partial); ok && partial.Empty() && j.failed() {
		j.document = nil
	}
	if j.document == nil {
		if len(j.diags) == 0 {
			return nil
		}
		j.document = view.NewDiagnosticsDocument()
	}
	j.document.Report(j.diags...)
	return output.JSON(out, j.document)
}

// failed reports whether the diagnostics contain an error.
func (j *jsonOutput) failed() bool {
	return slices.ContainsFunc(j.diags, func(d view.Diagnostic) bool { return d.Severity == view.SeverityError })
}

// finishJSON prints the collected output and ends JSON mode. The caller reports the
// returned error as text.
func (s *Streams) finishJSON(code int) error {
	j := s.json
	s.json = nil
	return j.finish(s.out, code)
}

// registerJSON adds the flag --json; "what" describes the output in the help.
func (s *Streams) registerJSON(cmd *cobra.Command, what string) {
	f := cmd.Flags().VarPF(&jsonFlag{streams: s, start: func() *jsonOutput { return &jsonOutput{} }}, "json", "", "print "+what+" and errors as JSON; \"openpai schema\" prints the schema")
	f.NoOptDefVal = "true"
}

// registerResults adds the flag --json to a command that reports each change.
func (s *Streams) registerResults(cmd *cobra.Command) {
	f := cmd.Flags().VarPF(&jsonFlag{streams: s, start: func() *jsonOutput { return &jsonOutput{document: document.NewResults()} }}, "json", "", "print results and errors as JSON; \"openpai schema results\" prints the schema")
	f.NoOptDefVal = "true"
}

// registerErrors adds the flag --json to a command whose regular output has no JSON
// form.
func (s *Streams) registerErrors(cmd *cobra.Command) {
	f := cmd.Flags().VarPF(&jsonFlag{streams: s, start: func() *jsonOutput { return &jsonOutput{} }}, "json", "", "print errors as JSON; \"openpai schema diagnostics\" prints the schema")
	f.NoOptDefVal = "true"
}

// done reports one change: with --json, as r in the document; otherwise, as
// text.
func (s *Streams) done(r document.Result, text string) {
	if s.json == nil {
		fmt.Fprintln(s.out, text)
		return
	}
	if results, ok := s.json.document.(*document.Results); ok {
		results.Results = append(results.Results, r)
	}
}

// note prints a line that --json omits.
func (s *Streams) note(format string, args ...any) {
	if s.json == nil {
		fmt.Fprintf(s.out, format+"\n", args...)
	}
}

// annotationEvents marks commands whose --json prints events.
const annotationEvents = "events"

// registerEvents adds the flag --json to a command that prints events.
func (s *Streams) registerEvents(cmd *cobra.Command) {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[annotationEvents] = "true"
	f := cmd.Flags().VarPF(&jsonFlag{streams: s, start: s.newEvents}, "json", "", "print one event per line as JSON; \"openpai schema event\" prints the schema")
	f.NoOptDefVal = "true"
}

func (s *Streams) newEvents() *jsonOutput {
	return &jsonOutput{events: newEventWriter(s.out, time.Now)}
}

// jsonFlag is a bool flag that starts JSON output when it is parsed, so that the output
// includes later argument errors.
type jsonFlag struct {
	streams *Streams
	start   func() *jsonOutput
}

// String implements pflag.Value.
func (f *jsonFlag) String() string {
	if f.streams == nil || f.streams.json == nil {
		return "false"
	}
	return "true"
}

// Set implements pflag.Value.
func (f *jsonFlag) Set(text string) error {
	switch text {
	case "true":
		f.streams.json = f.start()
	case "false":
		f.streams.json = nil
	default:
		return errors.New("true or false")
	}
	return nil
}

// Type implements pflag.Value.
func (f *jsonFlag) Type() string { return "bool" }

// asksForJSON reports whether the arguments contain --json, even if other arguments are
// invalid. It ignores arguments after "--", which belong to another program.
func asksForJSON(args []string) bool {
	if n := slices.Index(args, "--"); n >= 0 {
		args = args[:n]
	}
	return slices.Contains(args, "--json") || slices.Contains(args, "--json=true")
}

func errorDiagnostics(err error) []view.Diagnostic {
	if several := joined(err); len(several) > 0 {
		var all []view.Diagnostic
		for _, one := range several {
			all = append(all, errorDiagnostics(one)...)
		}
		return all
	}
	var found *diagnosticsError
	if errors.As(err, &found) {
		return view.NewDiagnostics(found.diags, phrase.Of)
	}
	var known interface{ Entry() *hclspec.Entry }
	if errors.As(err, &known) {
		return view.NewDiagnostics(hcl.Diagnostics{explained(err, known.Entry())}, phrase.Of)
	}
	return []view.Diagnostic{{Severity: view.SeverityError, Summary: strings.TrimSpace(phrase.Error(err))}}
}

// joined returns the errors that errors.Join combined into err, or nil for
// any other error.
func joined(err error) []error {
	several, ok := err.(interface{ Unwrap() []error })
	if !ok || err.Error() != errors.Join(several.Unwrap()...).Error() {
		return nil
	}
	return several.Unwrap()
}
