// SPDX-License-Identifier: MPL-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/hclspec/schema"
	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

func main() {
	// This program also runs the jobs of examples.
	if code, handled := local.Entrypoint(os.Args); handled {
		os.Exit(code)
	}
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: docgen REPOSITORY-DIRECTORY")
		os.Exit(2)
	}
	err := generate(os.Args[1])
	if err == nil {
		err = writeRegistryPages(filepath.Join(os.Args[1], "docs"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "docgen:", err)
		os.Exit(1)
	}
}

func generate(repository string) error {
	all, err := files()
	if err != nil {
		return err
	}
	return writeFiles(repository, all)
}

// files maps paths in the repository to the contents of all generated files, except
// the pages of the provider.
func files() (map[string][]byte, error) {
	all := languagePages()
	diags, err := errorsPage()
	if err != nil {
		return nil, err
	}
	all["docs/guides/errors.md"] = diags
	if all["examples/quickstart/graph.svg"], err = picture(); err != nil {
		return nil, err
	}
	all["cmd/openpai/schema/openpai.pai.hcl.schema.json"] = schema.HCL()
	all["cmd/openpai/schema/openpai-protocol.schema.json"] = schema.Protocol()
	for _, name := range document.Names() {
		all["cmd/openpai/schema/"+document.FileName(name)] = document.Schema(name)
	}
	all["docs/guides/cli.md"] = cli.Reference()
	return all, nil
}

// drawnExample is the path of the example whose graph is in the documentation. The
// path is relative to this package, because go generate and the tests run here.
const drawnExample = root + "/examples/quickstart"

// picture returns the output of `openpai graph --format svg` for the example.
func picture() ([]byte, error) {
	loaded, diags := workspace.Load(workspace.Options{Path: filepath.FromSlash(drawnExample)})
	if diags.HasErrors() {
		return nil, fmt.Errorf("read %s: %w", drawnExample, diags)
	}
	jobs, diags := resolve.All(resolve.Input{Workspace: loaded.Workspace, User: "reader"})
	if diags.HasErrors() {
		return nil, fmt.Errorf("resolve %s: %w", drawnExample, diags)
	}
	return view.SVG(jobs), nil
}
