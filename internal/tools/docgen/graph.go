package main

import (
	"fmt"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// drawnExample is the example whose graph the documentation shows, seen from
// the directory of this package, where go generate and the tests run.
const drawnExample = "../../../examples/quickstart"

// picture draws what `openpai graph --format svg` draws of the example.
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
