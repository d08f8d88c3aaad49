// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
)

type fmtOptions struct {
	streams   *Streams
	check     bool
	diff      bool
	recursive bool
}

func newFmtCmd(s *Streams) *cobra.Command {
	o := &fmtOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "fmt [PATH...]",
		Short: "Rewrite HCL files in the standard style",
		Long: dedent(`
			Format the given files, and the *.pai.hcl and *.paivars.hcl files in the
			given directories. The command prints the names of changed files. With
			--diff, it prints the changes instead of writing files. "-" formats standard
			input to standard output.

			Exit codes: 0 success, 1 error or, with --check, a file is not formatted.

			    openpai fmt
			    openpai fmt --check --diff --recursive`),
		RunE: func(_ *cobra.Command, args []string) error { return o.run(args) },
	}
	cmd.Flags().BoolVar(&o.check, "check", false, "do not write files, and fail if a file is not formatted")
	cmd.Flags().BoolVar(&o.diff, "diff", false, "print the changes without writing them")
	cmd.Flags().BoolVar(&o.recursive, "recursive", false, "go into subdirectories")
	s.registerResults(cmd)
	return cmd
}

func (o *fmtOptions) run(paths []string) error {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	if len(paths) == 1 && paths[0] == "-" {
		if o.streams.json != nil {
			return errors.New("--json does not support standard input")
		}
		return o.formatInput()
	}
	found := &diagnosticsError{files: map[string][]byte{}}
	changed := 0
	for _, path := range paths {
		files, err := o.files(path)
		if err != nil {
			return err
		}
		for _, name := range files {
			differs, err := o.formatFile(name, found)
			if err != nil {
				return err
			}
			if differs {
				changed++
			}
		}
	}
	if found.diags.HasErrors() {
		return found
	}
	if o.check && changed > 0 {
		return exitWith(exitFailed)
	}
	return nil
}

func (o *fmtOptions) formatInput() error {
	src, err := io.ReadAll(o.streams.in)
	if err != nil {
		return fmt.Errorf("read standard input: %w", err)
	}
	const name = "<stdin>"
	if diags := syntaxErrors(name, src); diags.HasErrors() {
		return &diagnosticsError{diags: diags, files: map[string][]byte{name: src}}
	}
	formatted := syntax.Format(src)
	differs := !bytes.Equal(src, formatted)
	switch {
	case o.diff && differs:
		fmt.Fprint(o.streams.out, difference(name, src, formatted))
	case !o.diff && !o.check:
		_, err = o.streams.out.Write(formatted)
	}
	if o.check && differs {
		return exitWith(exitFailed)
	}
	return err
}

// files lists the files to format at or below a path. A path to a file is listed
// regardless of its extension.
func (o *fmtOptions) files(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("format %s: %w", path, err)
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	var files []string
	err = filepath.WalkDir(path, func(name string, e fs.DirEntry, err error) error {
		hidden := strings.HasPrefix(e.Name(), ".") && name != path
		switch {
		case err != nil:
			return err
		case e.IsDir() && name != path && (hidden || !o.recursive):
			return filepath.SkipDir
		case !e.IsDir() && !hidden && hasHCL(name):
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", path, err)
	}
	return files, nil
}

func hasHCL(name string) bool {
	return strings.HasSuffix(name, ".pai.hcl") || strings.HasSuffix(name, ".paivars.hcl")
}

// formatFile reports whether the file needed formatting. It leaves a file with
// syntax errors unchanged and adds the errors to found.
func (o *fmtOptions) formatFile(name string, found *diagnosticsError) (bool, error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return false, err
	}
	if diags := syntaxErrors(name, src); diags.HasErrors() {
		found.diags = append(found.diags, diags...)
		found.files[name] = src
		return false, nil
	}
	formatted := syntax.Format(src)
	if bytes.Equal(src, formatted) {
		return false, nil
	}
	o.report(name, src, formatted)
	if o.check || o.diff {
		return true, nil
	}
	return true, replace(name, formatted)
}

// report prints the name of a file that needed formatting, with a diff if
// requested.
func (o *fmtOptions) report(name string, src, formatted []byte) {
	r, shown := document.Result{Subject: name, Result: "formatted"}, name
	if o.check || o.diff {
		r.Result = "not formatted"
	}
	if o.diff {
		r.Detail = difference(name, src, formatted)
		shown += "\n" + strings.TrimSuffix(r.Detail, "\n")
	}
	o.streams.done(r, shown)
}

func difference(name string, src, formatted []byte) string {
	return udiff.Unified(name+" (as it is)", name+" (formatted)", string(src), string(formatted))
}

// replace keeps the mode of the file and follows symbolic links.
func replace(name string, content []byte) error {
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(target)
	if err != nil {
		return err
	}
	return atomicfile.Write(target, content, info.Mode().Perm())
}

func syntaxErrors(name string, src []byte) hcl.Diagnostics {
	_, diags := syntax.ParseNative(name, src)
	return diags
}
