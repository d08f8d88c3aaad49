// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

type marketUseOptions struct {
	streams *Streams
	flags   marketFlags
	with    []string
	job     string
	role    string
	output  string
	replace string
	field   string
	remove  bool
}

func newMarketplaceUseCmd(s *Streams) *cobra.Command {
	o := &marketUseOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "use REFERENCE [FILE]",
		Short: "Write a job that uses an item, add an item to a task role, or copy a job",
		Long: dedent(`
			Without FILE, print a job that uses the item; --output writes the job to a
			file. The job file contains a marketplace block unless its directory already
			declares the marketplace. With FILE and --role, add the item to that task
			role of an HCL file. The rest of the file, including comments, remains
			unchanged. In all fields of the role, --replace replaces the prerequisite
			ADDRESS with the item. --as sets the field "data", "script" or "output" of
			the role to the item. --remove removes REFERENCE (an item, or the address of
			a prerequisite) from the role, and any input variables that become unused.
			--with sets values of template variables; the other template variables
			become input variables. If REFERENCE is a whole job, the command copies it
			unchanged.

			Run "openpai init" afterwards.

			Exit codes: 0 success, 1 error.

			    openpai marketplace use marketplace://script/install_wget main.pai.hcl
			    openpai marketplace use mnist a.pai.hcl --role worker --replace cifar10`),
		Args: arguments(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := interruptible(cmd)
			defer stop()
			if o.remove {
				return o.removeFrom(args[0], args[1:])
			}
			return o.run(ctx, fullReference(args[0]), args[1:])
		},
	}
	o.flags.register(cmd)
	s.registerResults(cmd)
	cmd.Flags().StringArrayVar(&o.with, "with", nil, "value of a template variable, as `NAME=VALUE`; repeatable")
	cmd.Flags().StringVar(&o.role, "role", "", "with FILE: the `TASK_ROLE` that receives the item")
	cmd.Flags().StringVar(&o.job, "job", "", "with FILE: the `JOB` of the task role, if several jobs have a role with that name")
	cmd.Flags().StringVar(&o.replace, "replace", "", "with FILE: the `ADDRESS` that the item replaces in the task role, such as prerequisite.data.mnist")
	cmd.Flags().StringVar(&o.field, "as", "", "with FILE: the `FIELD` of the task role to set: data, script or output")
	cmd.Flags().BoolVar(&o.remove, "remove", false, "with FILE: remove REFERENCE from the task role")
	cmd.MarkFlagsMutuallyExclusive("replace", "as", "remove")
	cmd.MarkFlagsMutuallyExclusive("with", "remove")
	cmd.Flags().StringVarP(&o.output, "output", "o", "", "write to a new `FILE`")
	return cmd
}

func (o *marketUseOptions) run(ctx context.Context, reference string, files []string) error {
	if err := o.check(files); err != nil {
		return err
	}
	loaded, set, err := o.flags.open(o.streams)
	if err != nil {
		return err
	}
	found, err := set.Find(ctx, reference, marketplace.Any)
	if err != nil {
		return itemFailure(reference, loaded.Advised(err))
	}
	if found.Job != nil {
		return o.copyJob(found, files)
	}
	use, err := o.use(found)
	if err != nil {
		return err
	}
	target := o.output
	if len(files) == 1 {
		target = files[0]
	}
	if use.Market, err = undeclared(loaded, set.Declared(found.Market), target); err != nil {
		return err
	}
	if len(files) == 1 {
		return o.edit(use, target)
	}
	return o.write(use.Skeleton(), nil)
}

func (o *marketUseOptions) check(files []string) error {
	switch {
	case len(files) == 1 && o.role == "":
		return errors.New("missing --role: set it to the task role that receives the item")
	case len(files) == 1 && o.output != "":
		return errors.New("--output writes a new file and cannot be combined with FILE, which is changed in place")
	case len(files) == 0 && (o.role != "" || o.job != "" || o.replace != "" || o.field != "" || o.remove):
		return errors.New("--role, --job, --replace, --as and --remove require FILE")
	case o.field != "" && !slices.Contains(marketplace.Fields, o.field):
		return fmt.Errorf("invalid --as %[2]q: use %[1]s.%[3]s", strings.Join(marketplace.Fields, ", "), o.field, hclspec.Suggest(o.field, marketplace.Fields))
	case len(files) == 1 && !strings.HasSuffix(files[0], ".hcl"):
		return fmt.Errorf("%s is not an HCL file; in YAML, add the reference to the prerequisites of the task role yourself", files[0])
	}
	return nil
}

// use returns the use of an item with the values from --with.
func (o *marketUseOptions) use(f *marketplace.Found) (marketplace.Use, error) {
	use := marketplace.Use{Found: f, With: map[string]string{}}
	var known []string
	for _, v := range f.Prerequisite.TemplateVariables {
		known = append(known, v.Name)
	}
	for _, input := range o.with {
		name, value, ok := strings.Cut(input, "=")
		if !ok {
			return use, fmt.Errorf("invalid --with %q: use NAME=VALUE", input)
		}
		if !slices.Contains(known, name) {
			return use, fmt.Errorf("%s has no template variable %q; its variables are %s.%s", f.Address, name, cmp.Or(strings.Join(known, ", "), "none"), hclspec.Suggest(name, known))
		}
		use.With[name] = value
	}
	return use, nil
}

// undeclared returns m if the workspace of the file does not declare m, or nil.
// If file is empty, undeclared uses the loaded workspace. undeclared returns an
// error if the workspace declares the name of m with a different source.
func undeclared(loaded *workspace.Loaded, m *hclspec.Marketplace, file string) (*hclspec.Marketplace, error) {
	if m == nil {
		return nil, nil // the item is a URL
	}
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	there := loaded
	moved := hclspec.Marketplace{Name: m.Name, Path: m.Path, Source: m.Source} // without Token, which refers to a secret of the loaded workspace
	if file != "" && dir != loaded.Dir {
		there, _ = workspace.Load(workspace.Options{Path: dir, Environ: os.Environ()})
		moved.Source = marketplace.SourceFrom(m.Source, loaded.Dir, dir)
	}
	declares := there.Surroundings()
	for _, other := range declares.Marketplaces {
		_, inFile := declares.Sources[other.Path]
		switch {
		case other.Name != m.Name || !inFile:
		case there != loaded && !marketplace.SameSource(&moved, other, dir):
			return nil, fmt.Errorf("the files in %s declare marketplace %q with a different source; rename one of the two marketplaces", filepath.Dir(file), m.Name)
		default:
			return nil, nil
		}
	}
	if m.Kubernetes != nil {
		return nil, nil // the user must declare the cluster of the marketplace
	}
	return &moved, nil
}

func (o *marketUseOptions) copyJob(f *marketplace.Found, files []string) error {
	if len(files) > 0 || len(o.with) > 0 {
		return fmt.Errorf("%s is a whole job; it can be copied, but not added to a task role", f.Address)
	}
	content := f.Text
	if len(f.Siblings) > 1 || workspace.IsJobFile(o.output) && !workspace.IsJobFile(f.File) {
		content = f.Protocol
	}
	return o.write(content, o.flags.workspace.marketplaces)
}

// write writes a file and prints how to lock its items. The file does not
// declare the given marketplaces.
func (o *marketUseOptions) write(content []byte, marketplaces []string) error {
	if o.output == "" && o.streams.json != nil {
		o.streams.done(document.Result{Subject: "-", Result: "printed", Detail: string(content)}, "")
		return nil
	}
	if o.output == "" {
		return o.streams.writeFile(content)
	}
	if _, err := os.Lstat(o.output); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s already exists; set --output to a different file", o.output)
	}
	if err := os.MkdirAll(filepath.Dir(o.output), 0o755); err != nil {
		return fmt.Errorf("write %s: %w", o.output, err)
	}
	if err := atomicfile.Write(o.output, content, 0o644); err != nil {
		return err
	}
	path := o.output
	if !workspace.IsJobFile(path) {
		path = filepath.Dir(path)
	}
	o.streams.done(document.Result{Subject: o.output, Result: "written"}, fmt.Sprintf("Wrote %s. Next: %s", o.output, phrase.InitCommand(path, marketplaces)))
	return nil
}

// removeFrom removes an item from a task role in a file. It does not look up
// the item.
func (o *marketUseOptions) removeFrom(address string, files []string) error {
	if err := o.check(files); err != nil {
		return err
	}
	src, err := os.ReadFile(files[0])
	if err != nil {
		return err
	}
	if !strings.HasPrefix(address, "prerequisite") {
		address = fullReference(address)
	}
	removed, err := marketplace.RoleOf{File: files[0], Job: o.job, Role: o.role}.Remove(src, address, func(name string) bool { return usedBeside(files[0], name) })
	if err != nil {
		return err
	}
	if err := replace(files[0], removed.Content); err != nil {
		return err
	}
	done := fmt.Sprintf("Removed %s from the task role %q in %s.", strings.Join(removed.Addresses, ", "), o.role, files[0])
	for _, name := range removed.Variables {
		done += fmt.Sprintf(" Removed variable %q, which nothing else uses.", name)
	}
	o.streams.done(document.Result{Subject: files[0], Result: "written", Detail: done}, done)
	return nil
}

// usedBeside reports whether a different file in the directory refers to an input
// variable or sets it. It also returns true if a file cannot be read.
func usedBeside(file, variable string) bool {
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		return true
	}
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".json")
		if e.Name() == filepath.Base(file) || !strings.HasSuffix(name, ".hcl") {
			continue
		}
		if !e.Type().IsRegular() {
			return true
		}
		src, err := os.ReadFile(filepath.Join(filepath.Dir(file), e.Name()))
		if err != nil || marketplace.RefersTo(src, variable) || marketplace.Sets(src, variable) {
			return true
		}
	}
	return false
}

func (o *marketUseOptions) edit(use marketplace.Use, name string) error {
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	at := marketplace.RoleOf{File: name, Job: o.job, Role: o.role}
	var changed []byte
	done := fmt.Sprintf("Added %s to", use.Address)
	switch {
	case o.replace != "":
		changed, err = use.Replace(at, src, o.replace)
		done = fmt.Sprintf("Replaced %s with %s in", o.replace, use.Address)
	case o.field != "":
		changed, err = use.Set(at, src, o.field)
		done = fmt.Sprintf("Set %s to %s in", o.field, use.Address)
	default:
		changed, err = use.AddTo(at, src)
	}
	if err != nil {
		return err
	}
	if err := replace(name, changed); err != nil {
		return err
	}
	done = fmt.Sprintf("%s the task role %q in %s.", done, o.role, name)
	o.streams.done(document.Result{Subject: name, Result: "written", Detail: done}, done)
	if use.Market != nil {
		fmt.Fprintf(o.streams.err, "Note: no file in the directory declares marketplace %s. Declare it: marketplace %q { source = %q }\n", use.Market.Name, use.Market.Name, use.Market.Source)
	}
	return nil
}
