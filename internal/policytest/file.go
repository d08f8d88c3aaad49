// SPDX-License-Identifier: MPL-2.0

package policytest

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"

	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
)

// suffix is the end of the file names of policy tests.
const suffix = ".paipolicytest.hcl"

// Limits for the tests of one directory.
const (
	maxFiles     = 1000
	maxFileBytes = 2 << 20
)

// Test is one test in a directory of policies.
type Test struct {
	Name string `hcl:"name,label"`
	// Config is the HCL of a workspace. Path is the workspace directory or file,
	// relative to the policy directory. Exactly one of Config and Path is set.
	Config string `hcl:"config,optional"`
	Path   string `hcl:"path,optional"`
	// Before is the HCL of a workspace whose jobs are already running, or "".
	Before string `hcl:"before,optional"`
	// Destroy is set if the test plans the deletion of all jobs.
	Destroy bool `hcl:"destroy,optional"`
	// Deny and Warn are the names of the policies that must deny or warn.
	Deny []string `hcl:"deny,optional"`
	Warn []string `hcl:"warn,optional"`

	// File is the file that declares the test. At is the position of the block.
	File string
	At   hcl.Range
}

// Load reads the tests in a directory, sorted by file and line. files contains
// their sources.
func Load(dir string) (tests []*Test, files map[string][]byte, diags hcl.Diagnostics) {
	files = map[string][]byte{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, hcl.Diagnostics{InvalidTest.At(hcl.Range{}, "The directory %s cannot be read: %s.", dir, err)}
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), suffix) || strings.HasPrefix(e.Name(), ".") || !e.Type().IsRegular() {
			continue
		}
		name := filepath.Join(dir, e.Name())
		if len(files) == maxFiles {
			return tests, files, append(diags, InvalidTest.At(hcl.Range{}, "%s contains more than %d test files. Move some of them to a different directory.", dir, maxFiles))
		}
		src, err := read(name)
		if err != nil {
			diags = append(diags, InvalidTest.At(hcl.Range{}, "%s cannot be read: %s.", name, err))
			continue
		}
		files[name] = src
		found, more := Parse(name, src)
		tests, diags = append(tests, found...), append(diags, more...)
	}
	if len(files) == 0 {
		diags = append(diags, InvalidTest.At(hcl.Range{}, "%s does not contain any *%s files. Put policy tests in such files, next to the policies.", dir, suffix))
	}
	return tests, files, diags
}

func read(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFileBytes))
}

// Parse reads the tests of one file.
func Parse(name string, src []byte) ([]*Test, hcl.Diagnostics) {
	body, diags := syntax.ParseNative(name, src)
	if diags.HasErrors() {
		return nil, diags
	}
	for _, b := range body.Blocks {
		if b.Type != "test" {
			diags = append(diags, InvalidTest.At(b.DefRange(), "Unknown block %q in a test file. Test files contain only test blocks.", b.Type))
		}
	}
	var file struct {
		Tests []*Test `hcl:"test,block"`
	}
	if found := gohcl.DecodeBody(body, nil, &file); found.HasErrors() || diags.HasErrors() {
		return nil, append(diags, InvalidTest.Adopt(found)...)
	}
	for i, t := range file.Tests {
		t.File, t.At = name, body.Blocks[i].DefRange()
		if (t.Config == "") == (t.Path == "") {
			diags = append(diags, InvalidTest.At(t.At, "The test %q must set either config (the HCL of a workspace) or path (a directory or file).", t.Name))
		}
	}
	return file.Tests, diags
}
