// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"fmt"

	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func resolved(command string) []*resolve.Job {
	ws, diags := syntax.Decode(syntax.Input{Files: map[string][]byte{"main.pai.hcl": fmt.Appendf(nil, `
openpai { workspace = "vision" }

job "train" {
  task_role "worker" {
    image    = "python:3.13"
    commands = [%q]

    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 64
    }
  }
}
`, command)}})
	if diags.HasErrors() {
		panic(diags)
	}
	jobs, diags := resolve.All(resolve.Input{Workspace: ws, User: "alice"})
	if diags.HasErrors() {
		panic(diags)
	}
	return jobs
}

// A plan compares declared jobs with the live state of a cluster. Here the
// cluster has no jobs yet.
func ExampleNew() {
	plan := planner.New(planner.Options{
		Workspace: "vision",
		Jobs:      resolved("python train.py"),
		Live:      map[string]*planner.Snapshot{resolve.LocalCluster: {}},
	})
	for _, c := range plan.Changes {
		fmt.Println(c.Action, c.Address)
	}
	fmt.Println("empty:", plan.Empty())
	// Output:
	// create job.train
	// empty: false
}

// For each changed field, Differences returns the path, the effect, and the
// values before and after.
func ExampleDifferences() {
	before, after := resolved("python train.py")[0], resolved("python train.py --fast")[0]
	for _, d := range planner.Differences(before, after) {
		fmt.Printf("%s: %s\n  %v\n  %v\n", d.Path, d.Effect, d.Before, d.After)
	}
	// Output:
	// task_role["worker"].commands[0]: replace
	//   python train.py
	//   python train.py --fast
}
