// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func title(p *planner.Plan) string {
	if p.Others != nil {
		return "Plan of a Terraform run"
	}
	return "Plan for the workspace " + clean(p.Workspace)
}

func markdownTitle(p *planner.Plan) string {
	if p.Others != nil {
		return "OpenPAI: plan of a Terraform run"
	}
	return "OpenPAI plan: " + p.Workspace
}

// otherChanges prints the changes to objects other than jobs in a Terraform
// plan.
func (t *text) otherChanges(p *planner.Plan) {
	if !p.Others.Any() {
		return
	}
	for _, s := range p.Others.Storages {
		symbol := symbols[s.Action]
		t.line(0, t.marked(symbol, fmt.Sprintf("%3s %s", symbol, t.bold(clean(s.Address.String()))))+": "+string(s.Action))
		if s.Destroys {
			t.sentence(2, t.warning, "! "+dataDeleted)
		}
	}
	if len(p.Others.Storages) > 0 {
		t.blank()
	}
	if counts := otherCounts(p.Others); counts != "" {
		t.sentence(0, t.dim, counts)
		t.blank()
	}
}

const dataDeleted = "its data is deleted"

// otherCounts returns one line, or "" if there are no other changes.
func otherCounts(o *planner.OtherChanges) string {
	var all []string
	if counts := actionCounts(o.Definitions); counts != "" {
		all = append(all, "prerequisites and items: "+counts)
	}
	if counts := actionCounts(o.Others); counts != "" {
		all = append(all, "resources of other providers: "+counts)
	}
	if o.Deferred > 0 {
		all = append(all, quantity.Count(o.Deferred, "resource")+" planned later")
	}
	if all == nil {
		return ""
	}
	return "Also " + strings.Join(all, "; ") + "."
}

func actionCounts(counts map[planner.Action]int) string {
	var all []string
	for _, a := range []struct {
		action planner.Action
		words  string
	}{{planner.Create, "to create"}, {planner.Update, "to change"}, {planner.Replace, "to replace"}, {planner.Delete, "to destroy"}} {
		if n := counts[a.action]; n > 0 {
			all = append(all, fmt.Sprintf("%d %s", n, a.words))
		}
	}
	return strings.Join(all, ", ")
}

// othersTable returns the other changes as a Markdown list. Storages whose
// data is deleted are always shown.
func othersTable(p *planner.Plan) []*piece {
	if !p.Others.Any() {
		return nil
	}
	var all []*piece
	for i, s := range p.Others.Storages {
		text := fmt.Sprintf("- %s %s", s.Action, code(s.Address.String()))
		if s.Destroys {
			text += ": " + dataDeleted
		}
		if i == 0 {
			text = "\n" + text
		}
		all = append(all, &piece{text: text + "\n", needed: s.Destroys})
	}
	if counts := otherCounts(p.Others); counts != "" {
		all = append(all, &piece{text: "\n" + inline(counts) + "\n"})
	}
	return all
}

// othersJSON contains the other changes for JSON output.
type othersJSON struct {
	Storages    []storageJSON  `json:"storages"`
	Definitions map[string]int `json:"definitions" doc:"Number of prerequisites and items by action"`
	Others      map[string]int `json:"other_resources" doc:"Number of resources of other providers by action"`
	Deferred    int            `json:"deferred" doc:"Number of resources that Terraform defers to a later run"`
}

type storageJSON struct {
	Address  string `json:"address"`
	Action   string `json:"action"`
	Destroys bool   `json:"destroys_data" doc:"Whether the data in the storage is deleted"`
}

func toOthersJSON(o *planner.OtherChanges) *othersJSON {
	if o == nil {
		return nil
	}
	out := &othersJSON{Storages: make([]storageJSON, len(o.Storages)), Definitions: byName(o.Definitions), Others: byName(o.Others), Deferred: o.Deferred}
	for i, s := range o.Storages {
		out.Storages[i] = storageJSON{s.Address.String(), string(s.Action), s.Destroys}
	}
	return out
}

func byName(counts map[planner.Action]int) map[string]int {
	out := map[string]int{}
	for a, n := range counts {
		out[string(a)] = n
	}
	return out
}

// Declarer returns the name of a front end for use in a sentence.
func Declarer(d planner.Declarer) string {
	if d == planner.DeclaredByTerraform {
		return "Terraform"
	}
	return "the openpai CLI"
}
