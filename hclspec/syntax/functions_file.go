// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
)

// fileFunctions returns the functions that read files. Templates that
// templatefile renders can also call the functions in others.
func fileFunctions(files confined, others map[string]function.Function) map[string]function.Function {
	all := map[string]function.Function{
		"file":       stringFunction(files.text),
		"filebase64": stringFunction(files.base64),
		"filemd5":    stringFunction(func(name string) (string, error) { return files.digest(name, md5.New()) }),
		"filesha256": stringFunction(func(name string) (string, error) { return files.digest(name, sha256.New()) }),
		"fileexists": function.New(&function.Spec{
			Params: []function.Parameter{{Name: "path", Type: cty.String}},
			Type:   function.StaticReturnType(cty.Bool),
			Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
				found, err := files.exists(args[0].AsString())
				return cty.BoolVal(found), err
			},
		}),
	}
	inTemplates := map[string]function.Function{}
	for _, set := range []map[string]function.Function{others, all} {
		for name, f := range set {
			inTemplates[name] = f
		}
	}
	all["templatefile"] = templateFile(files, inTemplates)
	return all
}

// confined gives access to the files in one directory. It rejects paths that
// leave the directory through ".." or a symbolic link.
type confined struct {
	dir string
	// Owner of the directory, for error messages: "workspace" or "module".
	what string
	// record, if not nil, receives each file that was read; see [Input.FileRead].
	record func(path, sum string)
}

// recorded joins a relative path with the directory before it calls record.
func (c confined) recorded(name, sum string) {
	if c.record == nil {
		return
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(c.dir, filepath.FromSlash(name))
	}
	c.record(filepath.Clean(name), sum)
}

// open returns a regular file and its size.
func (c confined) open(name string) (*os.File, int64, error) {
	root, name, err := c.root(name)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = root.Close() }()
	info, err := root.Stat(name)
	if err != nil {
		return nil, 0, c.readError(err)
	}
	if !info.Mode().IsRegular() {
		return nil, 0, errors.New("the path is not a regular file")
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, 0, c.readError(err)
	}
	return f, info.Size(), nil
}

func (c confined) root(name string) (*os.Root, string, error) {
	dir, err := filepath.Abs(c.dir)
	if err != nil {
		return nil, "", fmt.Errorf("cannot find the %s directory", c.what)
	}
	if filepath.IsAbs(name) {
		if name, err = filepath.Rel(dir, name); err != nil {
			return nil, "", outsideError(c.what)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, "", fmt.Errorf("cannot read the %s directory", c.what)
	}
	return root, filepath.FromSlash(name), nil
}

// outsideError is the error for a file outside the workspace or module
// directory.
type outsideError string

func (e outsideError) Error() string {
	return fmt.Sprintf("the file is outside the %s directory; copy it into this directory", string(e))
}

// readError removes the path from a read error, because the message already
// contains the path.
func (c confined) readError(err error) error {
	var p *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the file does not exist in the %s", c.what)
	case errors.As(err, &p) && strings.Contains(p.Err.Error(), "escapes"):
		return outsideError(c.what)
	case errors.As(err, &p):
		return p.Err
	}
	return err
}

func (c confined) exists(name string) (bool, error) {
	f, _, err := c.open(name)
	if err != nil {
		if errors.As(err, new(outsideError)) {
			return false, fmt.Errorf("cannot look for %s: %w", name, err)
		}
		return false, nil
	}
	c.recorded(name, "")
	return true, f.Close()
}

// bytes reads a whole file, up to maxValueBytes.
func (c confined) bytes(name string) ([]byte, error) {
	f, size, err := c.open(name)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, err)
	}
	defer f.Close()
	if size > maxValueBytes {
		return nil, fmt.Errorf("cannot read %s: the file has %d bytes, but at most %d MiB are allowed; let the task fetch the file instead", name, size, maxValueBytes>>20)
	}
	content, err := io.ReadAll(io.LimitReader(f, maxValueBytes))
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, c.readError(err))
	}
	sum := sha256.Sum256(content)
	c.recorded(name, hex.EncodeToString(sum[:]))
	return content, nil
}

func (c confined) text(name string) (string, error) {
	content, err := c.bytes(name)
	if err != nil {
		return "", err
	}
	if !utf8.Valid(content) {
		return "", fmt.Errorf("cannot read %s: the file is not valid UTF-8; use filebase64 for binary files", name)
	}
	return string(content), nil
}

func (c confined) base64(name string) (string, error) {
	content, err := c.bytes(name)
	return base64.StdEncoding.EncodeToString(content), err
}

func (c confined) digest(name string, h hash.Hash) (string, error) {
	f, _, err := c.open(name)
	if err != nil {
		return "", fmt.Errorf("cannot read %s: %w", name, err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(h, sum), f); err != nil {
		return "", fmt.Errorf("cannot read %s: %w", name, c.readError(err))
	}
	c.recorded(name, hex.EncodeToString(sum.Sum(nil)))
	return hex.EncodeToString(h.Sum(nil)), nil
}

// templateFile returns the function templatefile. Its second argument is an object
// with the template variables.
func templateFile(files confined, functions map[string]function.Function) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "path", Type: cty.String}, {Name: "variables", Type: cty.DynamicPseudoType}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			name, variables := args[0].AsString(), args[1]
			if !variables.Type().IsObjectType() && !variables.Type().IsMapType() {
				return cty.NilVal, function.NewArgErrorf(1, "the variables must be an object")
			}
			src, err := files.text(name)
			if err != nil {
				return cty.NilVal, err
			}
			return executeTemplate(name, []byte(src), &hcl.EvalContext{Variables: variables.AsValueMap(), Functions: functions})
		},
	})
}

func executeTemplate(name string, src []byte, ctx *hcl.EvalContext) (cty.Value, error) {
	diags := scanTemplate(name, src)
	if diags.HasErrors() {
		return cty.NilVal, newTemplateError(diags)
	}
	expr, diags := hclsyntax.ParseTemplate(src, name, hcl.InitialPos)
	if diags.HasErrors() {
		return cty.NilVal, newTemplateError(diags)
	}
	for _, t := range expr.Variables() {
		if _, ok := ctx.Variables[t.RootName()]; !ok {
			return cty.NilVal, fmt.Errorf("%s: the template uses %q, which is not among the variables passed to templatefile", formatPosition(t.SourceRange()), t.RootName())
		}
	}
	v, diags := nativeValue(src, expr, ctx)
	if diags.HasErrors() {
		return cty.NilVal, newTemplateError(diags)
	}
	text, err := convert.Convert(v, cty.String)
	if err != nil {
		return cty.NilVal, fmt.Errorf("the template %s returns %s, not a string", name, describe(v))
	}
	return text, nil
}

// templateError is the first error inside a template. Its text is a sentence;
// see [closeOnce].
type templateError struct{ hcl.Diagnostics }

func newTemplateError(diags hcl.Diagnostics) error { return templateError{closeOnce(diags)} }

func (e templateError) Error() string {
	for _, d := range e.Diagnostics {
		if d.Severity == hcl.DiagError && d.Subject != nil {
			return fmt.Sprintf("%s: %s: %s", formatPosition(*d.Subject), d.Summary, d.Detail)
		}
	}
	return e.Diagnostics.Error()
}

// closeOnce removes a second period from error details. HCL appends a period to
// function errors, but a template error already ends with one.
func closeOnce(diags hcl.Diagnostics) hcl.Diagnostics {
	for _, d := range diags {
		call, ok := hcl.DiagnosticExtra[hclsyntax.FunctionCallDiagExtra](d)
		if !ok {
			continue
		}
		var err templateError
		if errors.As(call.FunctionCallError(), &err) {
			d.Detail = fmt.Sprintf("Call to function %q failed: %s", call.CalledFunctionName(), err)
		}
	}
	return diags
}
