// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"io"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/provider/terraformplan"
)

// ReadPlan converts the JSON of a Terraform plan (terraform show -json PLANFILE)
// to a plan of the openpai CLI. The result contains Terraform's addresses and
// actions. The fields, causes and totals have the form that the CLI uses. The
// result does not contain any value that Terraform marks as sensitive.
func ReadPlan(r io.Reader) (*planner.Plan, error) {
	read, err := terraformplan.Read(r)
	if err != nil {
		return nil, err
	}
	others := planner.OtherChanges{Definitions: map[planner.Action]int{}, Others: map[planner.Action]int{}, Deferred: read.Deferred}
	var jobs, ended []*jobChange
	for _, c := range read.Changes {
		switch action := actionOf(c); {
		case c.Mode == "data":
		case c.Type != "openpai_job":
			countOther(&others, c, action)
		case action == planner.Delete:
			ended = append(ended, newJobChange(c, action))
		default:
			jobs = append(jobs, newJobChange(c, action))
		}
	}
	return planOf(slices.Concat(jobs, ended), others), nil
}

func planOf(jobs []*jobChange, others planner.OtherChanges) *planner.Plan {
	all := make([]planner.Decision, len(jobs))
	for i, j := range jobs {
		all[i] = j.decision()
	}
	plan := planner.NewDecided(localWorkspace, all, others)
	for i, j := range jobs {
		j.finish(plan.Changes[i])
	}
	return plan
}

// actionOf returns the planner's action for a change. It returns NoOp if
// Terraform only removes the object from the state.
func actionOf(c *terraformplan.Change) planner.Action {
	switch strings.Join(c.Values.Actions, " ") {
	case "create", "forget create", "create forget":
		return planner.Create
	case "update":
		return planner.Update
	case "delete":
		return planner.Delete
	case "delete create", "create delete":
		return planner.Replace
	}
	return planner.NoOp // no-op, read, forget
}

func countOther(others *planner.OtherChanges, c *terraformplan.Change, action planner.Action) {
	switch {
	case action == planner.NoOp:
	case c.Type == "openpai_storage":
		others.Storages = append(others.Storages, planner.StorageChange{Address: terraformAddress(c), Action: action, Destroys: destroysData(c, action)})
	case strings.HasPrefix(c.Type, "openpai_"):
		others.Definitions[action]++
	default:
		others.Others[action]++
	}
}

// terraformAddress appends the deposed key to the address of an object that a
// replacement left behind.
func terraformAddress(c *terraformplan.Change) hclspec.Address {
	if c.Deposed != "" {
		return hclspec.Address(c.Address + " (deposed object " + c.Deposed + ")")
	}
	return hclspec.Address(c.Address)
}

// destroysData reports whether destroying a storage also deletes its data. An
// adopted claim is kept. A storage that another state created is also kept,
// but the plan does not show its creator.
func destroysData(c *terraformplan.Change, action planner.Action) bool {
	if action != planner.Delete && action != planner.Replace {
		return false
	}
	before, _ := sidesOf(storageObject.Type(), c.Values)
	return before.top["on_destroy"] == "delete" && before.top["claim"] == nil
}
