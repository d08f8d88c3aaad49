// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
	"github.com/openpai/terraform-provider-openpai/provider"
)

type showOptions struct {
	streams   *Streams
	form      planForm
	terraform bool
}

func newShowCmd(s *Streams) *cobra.Command {
	o := &showOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "Show a saved plan or a Terraform plan",
		Long: dedent(`
			Show a plan saved with "openpai plan --out FILE". The command has the same
			output options as "openpai plan". It needs neither the files of the workspace
			nor a cluster, and does not check whether the plan is still up to date.

			With --terraform, FILE is the output of "terraform show -json PLANFILE" or
			"tofu show -json PLANFILE"; "-" reads standard input. The command shows jobs
			with their Terraform addresses and actions, hides sensitive values, and
			prints only the number of other resources.

			--html also writes a self-contained page for a browser. The page does not need
			network access.

			Exit codes: 0 success; 1 error, or FILE is not a plan, was modified, or was
			saved by a different version.

			    openpai show plan.openpai
			    openpai show plan.openpai --markdown
			    openpai show plan.openpai --html plan.html
			    openpai show plan.json --terraform
			    terraform show -json tfplan | openpai show - --terraform --markdown`),
		Args: arguments(1, 1),
		RunE: func(_ *cobra.Command, args []string) error { return o.run(args[0]) },
	}
	o.form.register(s, cmd)
	cmd.Flags().BoolVar(&o.terraform, "terraform", false, "FILE is the output of \"terraform show -json PLANFILE\"")
	return cmd
}

func (o *showOptions) run(file string) error {
	if err := o.form.check(); err != nil {
		return err
	}
	if o.terraform {
		return o.runTerraform(file)
	}
	saved, err := openSaved(o.streams, file)
	if saved == nil {
		return err
	}
	plan := saved.Plan()
	if !o.form.markdown && o.streams.json == nil {
		showDiagnostics(o.streams, &diagnosticsError{diags: plan.Diagnostics, detail: o.form.detail})
	}
	return errors.Join(o.form.write(o.streams, plan), err)
}

func (o *showOptions) runTerraform(file string) error {
	in, name := o.streams.in, "standard input"
	if file != "-" {
		opened, err := os.Open(file)
		if err != nil {
			return fmt.Errorf("read the plan: %w", err)
		}
		defer opened.Close()
		in, name = opened, file
	}
	plan, err := provider.ReadPlan(in)
	if err != nil {
		return fmt.Errorf("read the Terraform plan in %s: %w", name, err)
	}
	return o.form.write(o.streams, plan)
}

// planForm holds the flags for the output format of a plan.
type planForm struct {
	markdown bool
	limit    int // maximum number of characters in the Markdown output
	detail   bool
	html     string // file for the HTML page
	path     string // for advice; see view.TextOptions
}

func (f *planForm) register(s *Streams, cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.detail, "detail", false, "show every job and diagnostic separately, and all lines of each command")
	f.registerForms(s, cmd)
}

func (f *planForm) registerForms(s *Streams, cmd *cobra.Command) {
	s.registerJSON(cmd, "the plan")
	cmd.Flags().BoolVar(&f.markdown, "markdown", false, "print the plan as Markdown, for a comment on a pull request")
	cmd.Flags().IntVar(&f.limit, "markdown-limit", view.MarkdownLimit, "maximum number of `CHARACTERS` in the Markdown output; omits details first, but never omits deletions or ended tasks; 0 means no limit")
	cmd.Flags().StringVar(&f.html, "html", "", "also write the plan to `FILE` as an HTML page")
	cmd.MarkFlagsMutuallyExclusive("json", "markdown")
	cmd.MarkFlagsMutuallyExclusive("json", "detail")
}

// check rejects a limit that is negative or has no effect. It also rejects an
// existing file that is not a plan page.
func (f *planForm) check() error {
	switch {
	case f.limit < 0:
		return errors.New("--markdown-limit must be 0 or more")
	case f.limit != view.MarkdownLimit && !f.markdown:
		return errors.New("--markdown-limit requires --markdown")
	case f.html != "":
		return checkPage(f.html)
	}
	return nil
}

// write prints a plan as text, Markdown or JSON. With --html, it also writes an HTML
// page. Formats that cannot contain diagnostics omit them.
func (f *planForm) write(s *Streams, plan *planner.Plan) error {
	if err := f.writeTo(s, plan); err != nil || f.html == "" {
		return err
	}
	if err := writePage(f.html, plan); err != nil {
		return err
	}
	if s.json == nil && !f.markdown {
		fmt.Fprintf(s.out, "\nWrote the HTML plan to %s.\n", f.html)
	}
	return nil
}

func (f *planForm) writeTo(s *Streams, plan *planner.Plan) error {
	switch {
	case f.markdown:
		return view.Markdown(s.out, plan, view.MarkdownOptions{Phrase: phrase.Of, Limit: f.limit, Detail: f.detail})
	case s.json != nil:
		s.json.show(newPlanDocument(s.json, plan))
		return nil
	}
	return view.Text(s.out, plan, s.planText(f.detail, f.path))
}

// newPlanDocument moves the diagnostics of the plan to the diagnostics of the
// command.
func newPlanDocument(j *jsonOutput, plan *planner.Plan) *view.PlanDocument {
	d := view.NewPlanDocument(plan, phrase.Of)
	j.report(d.Diagnostics...)
	d.Diagnostics = []view.Diagnostic{}
	return d
}
