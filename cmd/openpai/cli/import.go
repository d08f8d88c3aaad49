// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

type importOptions struct {
	streams   *Streams
	workspace workspaceFlags // only its marketplaces are used
	dir       string
	force     bool
	// keepDownloads keeps curl and wget lines as they are.
	keepDownloads bool
}

func newImportCmd(s *Streams) *cobra.Command {
	o := &importOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Write OpenPAI job YAML as HCL",
		Long: dedent(`
			Reads protocol YAML, including older formats, and writes NAME.pai.hcl for the
			job NAME. All files become part of one workspace, in addition to the existing
			declarations of the directory. Identical prerequisites, images, storages,
			marketplaces, secrets and parameters are declared once. Images and secrets that
			share a name but differ are renamed; other such prerequisites stay in their
			jobs.

			Secret values are written to NAME.secrets.env, which only you can read and which
			is added to .gitignore. The HCL reads them from the environment:

			    set -a; . ./NAME.secrets.env; set +a

			Parameters become variables. Comments are kept as close to their original
			position as possible; comments on secrets are written to NAME.secrets.env. The
			marketplaces of a job become marketplace blocks.

			If a file has errors, nothing is written. Settings without an equivalent produce
			a warning. References that do not exist also produce a warning: OpenPAI leaves
			them unchanged, but HCL requires a declaration.

			Exit codes: 0 success, 1 error.

			    openpai import job.yaml
			    openpai import a.yaml b.yaml --dir experiments`),
		Args: arguments(1, anyNumber),
		RunE: func(_ *cobra.Command, args []string) error { return o.run(args) },
	}
	o.workspace.registerMarketplaces(cmd)
	cmd.Flags().StringVar(&o.dir, "dir", ".", "write into this `DIRECTORY`")
	cmd.Flags().BoolVar(&o.keepDownloads, "keep-downloads", false, "keep curl, wget and git clone commands instead of writing fetch blocks")
	cmd.Flags().BoolVar(&o.force, "force", false, "overwrite files that exist")
	s.registerResults(cmd)
	return cmd
}

func (o *importOptions) run(files []string) error {
	var all []*conversion
	var parts []*syntax.Part
	for _, name := range files {
		c, err := o.convert(name)
		if err != nil {
			return err
		}
		all, parts = append(all, c), append(parts, c.part)
	}
	there := o.there(all)
	if err := checkMarketplaces(parts); err != nil {
		return err
	}
	syntax.Merge(there, parts)
	if err := o.checkPlaces(all, there); err != nil {
		return err
	}
	for _, c := range all {
		if err := o.write(c); err != nil {
			return err
		}
	}
	for _, c := range all {
		for _, name := range c.part.Renamed {
			fmt.Fprintf(o.streams.err, "Note: the secret %q of job %s becomes secret.%s, because another job has a secret of this name with another value. References in the job change, and so does its hash.\n", name, c.name, c.part.SecretNames[name])
		}
	}
	return o.checkDirectory(o.dir)
}

// there returns the declarations in the other files of the directory.
func (o *importOptions) there(all []*conversion) *hclspec.Workspace {
	var written []string
	for _, c := range all {
		written = append(written, filepath.Base(c.hclFile()))
	}
	loaded, _ := workspace.Load(workspace.Options{Path: o.dir, Environ: os.Environ(), Except: written})
	return loaded.Workspace
}

// checkMarketplaces rejects jobs that use one marketplace name for different sources.
func checkMarketplaces(parts []*syntax.Part) error {
	sources := map[string]string{}
	for _, p := range parts {
		for _, m := range p.Workspace.Marketplaces {
			if before, known := sources[m.Name]; known && before != m.Source {
				return fmt.Errorf("the jobs declare marketplace %q with different sources, %s and %s; import them into different directories", m.Name, before, m.Source)
			}
			sources[m.Name] = m.Source
		}
	}
	return nil
}

// checkPlaces returns an error if a file would be overwritten. Call it before writing
// anything.
func (o *importOptions) checkPlaces(all []*conversion, there *hclspec.Workspace) error {
	used := map[string]string{}
	var errs []error
	for _, c := range all {
		if other := used[c.hclFile()]; other != "" {
			errs = append(errs, fmt.Errorf("%s and %s both declare job %s; import them into different directories", other, c.from, c.name))
		}
		used[c.hclFile()] = c.from
		if there.Job(c.name) != nil {
			errs = append(errs, fmt.Errorf("%s declares job %s, and so does another file of %s; nothing was written", c.from, c.name, shownDirectory(o.dir)))
		}
		for _, name := range c.outputs() {
			_, err := os.Lstat(name)
			switch {
			case o.force || errors.Is(err, fs.ErrNotExist):
			case err != nil:
				errs = append(errs, fmt.Errorf("cannot write %s: %w", name, err))
			default:
				errs = append(errs, fmt.Errorf("%s already exists; nothing was written. Pass --force to overwrite it, or --dir to write elsewhere", name))
			}
		}
	}
	return errors.Join(errs...)
}

func (o *importOptions) write(c *conversion) error {
	if err := os.MkdirAll(c.dir, 0o755); err != nil {
		return err
	}
	if env := c.env(); len(env) > 0 {
		if err := ignoreSecrets(c.dir); err != nil {
			return err
		}
		if err := atomicfile.Write(c.envFile(), env, 0o600); err != nil {
			return err
		}
		o.streams.done(document.Result{Subject: c.envFile(), Result: "written", Detail: "values of secrets"}, fmt.Sprintf("Wrote %s: secret values, readable only by you.", c.envFile()))
	}
	if err := atomicfile.Write(c.hclFile(), c.hcl(), 0o644); err != nil {
		return err
	}
	o.streams.done(document.Result{Subject: c.hclFile(), Result: "written"}, fmt.Sprintf("Wrote %s.", c.hclFile()))
	return nil
}

// checkDirectory loads the directory after the import. A name that another file
// declares too is an error. HCL is stricter than YAML, for example about references
// that do not exist; checkDirectory prints such diagnostics.
func (o *importOptions) checkDirectory(dir string) error {
	loaded, _, diags := (&workspaceFlags{path: dir}).resolve()
	p := &project{loaded: loaded}
	failures := onlyErrors(diags)
	known := otherThan([]string{hclspec.ItemsNotInitialized.Code}, failures)
	if len(known) < len(failures) {
		o.streams.note("Next: %s", phrase.InitCommand(dir, nil))
	}
	failures = known
	switch {
	case !failures.HasErrors():
		return nil
	case !slices.ContainsFunc(failures, isOther):
		fmt.Fprintf(o.streams.err, "\nFix these errors before planning %s: HCL is stricter than YAML.\nDeclare the target of each reference (secret \"name\" { env = \"NAME\" }), or write <%%%% for a literal <%%.\n\n", shownDirectory(dir))
		p.show(o.streams, failures)
		return nil
	}
	fmt.Fprintf(o.streams.err, "The files of %s conflict:\n\n", shownDirectory(dir))
	return p.diagnosticsError(failures)
}

// strictCodes are the codes of diagnostics that are errors in HCL and warnings
// in YAML.
var strictCodes = []string{hclspec.UnresolvedReference.Code, hclspec.UnknownSecret.Code, hclspec.UppercaseImage.Code, hclspec.DeploymentForUnknownRole.Code}

// isOther reports whether a diagnostic is unrelated to the strictness of HCL.
func isOther(d *hcl.Diagnostic) bool {
	return !slices.Contains(strictCodes, hclspec.Code(d))
}

func onlyErrors(diags hcl.Diagnostics) hcl.Diagnostics {
	return slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool { return d.Severity != hcl.DiagError })
}

func shownDirectory(dir string) string {
	if dir == "." {
		return "the workspace"
	}
	return dir
}
