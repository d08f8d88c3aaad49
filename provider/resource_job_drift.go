// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// warnDrift warns about changes that apply reverts. It does not warn about a
// missing supervisor.
func (p *jobPlan) warnDrift(c *planner.Change, live *planner.Snapshot) {
	job := live.Job(c.Framework)
	if job == nil || len(c.Drift) == 0 || c.Reason.Code == planner.ReasonUnsupervised {
		return
	}
	p.diags.AddWarning(fmt.Sprintf("%s was changed outside of Terraform", c.Address),
		fmt.Sprintf("Apply reverts this:\n  %s", strings.Join(driftLines(job), "\n  ")))
}

// driftLines returns one line for each change by another program.
func driftLines(live *planner.LiveJob) []string {
	list := make([]string, 0, len(live.Drift))
	if elsewhere(live) {
		list = append(list, "declared by "+view.Declarer(live.DeclaredBy))
	}
	for _, d := range live.Drift {
		list = append(list, driftLine(d))
	}
	return list
}

// driftVerbs are the words for the kinds of drift.
var driftVerbs = map[planner.DriftKind]string{
	planner.DriftChanged: "was changed", planner.DriftMissing: "is gone", planner.DriftForeign: "was added",
}

func driftLine(d planner.Drift) string {
	text := d.Object
	if d.Path != "" {
		text += ": " + d.Path
	}
	text += " " + driftVerbs[d.Kind]
	if d.Manager != "" {
		text += " by " + d.Manager
	}
	return text + bothValues(d)
}

var driftPattern = regexp.MustCompile(`(?s)^(.+?)(?:: (.+?))? (was changed|is gone|was added)(?: by (.+?))?(?: from (.+))?$`)

// parseDriftLine parses the output of driftLine. It returns false for other
// text.
func parseDriftLine(line string) (planner.Drift, bool) {
	m := driftPattern.FindStringSubmatch(line)
	if m == nil {
		return planner.Drift{}, false
	}
	d := planner.Drift{Object: m[1], Path: m[2], Manager: m[4]}
	for kind, verb := range driftVerbs {
		if verb == m[3] {
			d.Kind = kind
		}
	}
	if m[5] == "" {
		// The line omits both values if either of them is a list or an
		// object.
		if d.Kind == planner.DriftChanged {
			d.Before, d.After = []any{}, []any{}
		}
		return d, true
	}
	before := json.NewDecoder(strings.NewReader(m[5]))
	before.UseNumber()
	if before.Decode(&d.Before) != nil {
		return d, false
	}
	after, ok := strings.CutPrefix(m[5][before.InputOffset():], " to ")
	values := json.NewDecoder(strings.NewReader(after))
	values.UseNumber()
	return d, ok && values.Decode(&d.After) == nil
}

// bothValues returns the old and the new value of a changed scalar. It returns
// "" for lists and objects, because other programs can write any content.
func bothValues(d planner.Drift) string {
	if d.Kind != planner.DriftChanged || !isScalar(d.Before) || !isScalar(d.After) {
		return ""
	}
	return fmt.Sprintf(" from %s to %s", plainjson.MustMarshal(d.Before), plainjson.MustMarshal(d.After))
}

func isScalar(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}
