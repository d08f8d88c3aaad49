// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	workspace workspaceFlags // import uses only the field marketplaces
	dir       string
	force     bool
	// keepDownloads keeps curl, wget and git clone commands unchanged.
	keepDownloads bool
	// merge is set if import also merges prerequisites that differ in one
	// string.
	merge bool
}

func newImportCmd(s *Streams) *cobra.Command {
	o := &importOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "import FILE...",
		Short: "Write OpenPAI job YAML as HCL",
		Long: dedent(`
			Read protocol YAML, including older formats, and write NAME.pai.hcl for the
			job NAME. All files become part of one workspace, together with the existing
			declarations in the directory. Identical prerequisites, images, storages,
			marketplaces, secrets and parameters are declared once. Different images
			with the same name are renamed; different prerequisites or secrets with the
			same name remain in their jobs. With --merge, data, script and output
			prerequisites that differ in one string become one prerequisite with a
			template variable. Each job then sets the variable. If such a job already
			ran, the plan shows it as changed.

			Some jobs are valid in OpenPAI but not in HCL. For example, only HCL
			rejects a reference to an unknown name. Import copies such a job to
			NAME.yaml and includes the copy with a protocol block.

			Import writes secret values to NAME.secrets.env, which only you can read, and
			adds that file to .gitignore. The HCL reads the values from the environment:

			    set -a; . ./NAME.secrets.env; set +a

			Parameters become variables. Import keeps comments as close to their
			original positions as possible, but writes comments on secrets to
			NAME.secrets.env. The marketplaces of a job become marketplace blocks.

			If a file has errors, import does not write any file. Settings without an
			equivalent produce a warning.

			Exit codes: 0 success, 1 error.

			    openpai import job.yaml
			    openpai import a.yaml b.yaml --dir experiments
			    openpai import --merge experiments/*.yaml --dir lab`),
		Args: arguments(1, anyNumber),
		RunE: func(_ *cobra.Command, args []string) error { return o.run(args) },
	}
	o.workspace.registerMarketplaces(cmd)
	cmd.Flags().StringVar(&o.dir, "dir", ".", "write into this `DIRECTORY`")
	cmd.Flags().BoolVar(&o.keepDownloads, "keep-downloads", false, "keep curl, wget and git clone commands instead of writing fetch blocks")
	cmd.Flags().BoolVar(&o.merge, "merge", false, "merge prerequisites that differ in one string, and replace the string with a template variable")
	cmd.Flags().BoolVar(&o.force, "force", false, "overwrite existing files")
	s.registerResults(cmd)
	return cmd
}

func (o *importOptions) run(files []string) error {
	var all []*conversion
	for _, name := range files {
		c, err := o.convert(name)
		if err != nil {
			return err
		}
		all = append(all, c)
	}
	there := o.there(all)
	var parts []*syntax.Part
	for _, c := range all {
		if err := o.keepStrict(c, there); err != nil {
			return err
		}
		parts = append(parts, c.part)
	}
	if err := checkMarketplaces(parts); err != nil {
		return err
	}
	templates := o.mergeParts(there, parts)
	if err := o.checkPlaces(all, there); err != nil {
		return err
	}
	for _, c := range all {
		if err := o.write(c); err != nil {
			return err
		}
	}
	o.noteMoved(parts, there)
	for _, t := range templates {
		fmt.Fprintf(o.streams.err, "Note: %s has the template variable %q, which is set in the jobs %s. If these jobs already ran, the plan shows them as changed.\n", t.Address, t.Variable, strings.Join(t.Jobs, ", "))
	}
	return o.checkDirectory(o.dir)
}

// noteMoved reports prerequisites whose name the directory already uses for a
// different prerequisite. Import writes such a prerequisite into the block of
// its job. This changes the address of the prerequisite.
func (o *importOptions) noteMoved(parts []*syntax.Part, there *hclspec.Workspace) {
	for _, part := range parts {
		for _, job := range part.Workspace.Jobs {
			for _, p := range job.Prerequisites {
				same := func(other *hclspec.Prerequisite) bool { return other.Address() == p.Address() }
				if slices.ContainsFunc(there.Prerequisites, same) {
					fmt.Fprintf(o.streams.err, "Note: %s already declares a different %s; the definition for %s was written to the block of that job. If the job already ran, the plan shows it as changed.\n", o.dir, p.Address(), job.Address())
				}
			}
		}
	}
}

// mergeParts merges identical declarations. With --merge, it also merges and
// returns prerequisites that differ in one string.
func (o *importOptions) mergeParts(there *hclspec.Workspace, parts []*syntax.Part) []syntax.Template {
	if o.merge {
		return syntax.MergeTemplates(there, parts)
	}
	syntax.Merge(there, parts)
	return nil
}

// there returns the declarations in the directory, except those in files that import
// overwrites. Secrets that the overwritten files declare remain at the top level,
// because the other files may refer to these secrets.
func (o *importOptions) there(all []*conversion) *hclspec.Workspace {
	var written []string
	before, _ := workspace.Load(workspace.Options{Path: o.dir, Environ: os.Environ()})
	for _, c := range all {
		written = append(written, filepath.Base(c.hclFile()))
		for _, s := range before.Workspace.Secrets {
			if filepath.Clean(before.Workspace.Sources.Range(s.Path).Filename) == filepath.Clean(c.hclFile()) {
				c.part.SecretsAtTop = append(c.part.SecretsAtTop, s.Name)
			}
		}
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

// checkPlaces returns an error if two files declare the same job, or if import would
// overwrite a file without --force. Callers must call checkPlaces before they write
// files.
func (o *importOptions) checkPlaces(all []*conversion, there *hclspec.Workspace) error {
	used := map[string]string{}
	var errs []error
	for _, c := range all {
		if other := used[c.hclFile()]; other != "" {
			errs = append(errs, fmt.Errorf("%s and %s both declare job %s; import them into different directories", other, c.from, c.name))
		}
		used[c.hclFile()] = c.from
		if there.Job(c.name) != nil {
			errs = append(errs, fmt.Errorf("%s declares job %s, which another file in %s already declares; nothing was written. Rename the job, or pass --dir to write elsewhere", c.from, c.name, shownDirectory(o.dir)))
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
	written := map[string][]byte{c.hclFile(): c.hcl()}
	if c.yaml != nil {
		written[c.yamlFile()] = c.yaml
	}
	for _, name := range slices.Sorted(maps.Keys(written)) {
		if err := atomicfile.Write(name, written[name], 0o644); err != nil {
			return err
		}
		o.streams.done(document.Result{Subject: name, Result: "written"}, fmt.Sprintf("Wrote %s.", name))
	}
	return nil
}

// checkDirectory checks the directory after the import. It returns an error if two
// files declare the same name.
func (o *importOptions) checkDirectory(dir string) error {
	loaded, _, diags := (&workspaceFlags{path: dir}).resolve()
	p := &project{loaded: loaded}
	failures := onlyErrors(diags)
	known := otherThan([]string{hclspec.ItemsNotInitialized.Code}, failures)
	if len(known) < len(failures) {
		o.streams.note("Next: %s", phrase.InitCommand(dir, nil))
	}
	if !known.HasErrors() {
		return nil
	}
	fmt.Fprintf(o.streams.err, "The files in %s conflict:\n\n", shownDirectory(dir))
	return p.diagnosticsError(known)
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
