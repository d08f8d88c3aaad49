// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/provider/terraformplan"
)

// jobChange is a change to a job in a Terraform plan.
type jobChange struct {
	*terraformplan.Change
	action        planner.Action
	before, after side
	was, wanted   *declaration // nil if there is none
}

// jobInput is the type of the attributes that declare a job.
var jobInput = func() tftypes.Object {
	types := maps.Clone(jobObject.Type().AttributeTypes)
	types["name"] = tftypes.String
	return tftypes.Object{AttributeTypes: types}
}()

func newJobChange(c *terraformplan.Change, action planner.Action) *jobChange {
	j := &jobChange{Change: c, action: action}
	j.before, j.after = sidesOf(jobInput, c.Values)
	s := settingsOf(c.Provider)
	if j.before.top != nil && action != planner.Create {
		j.was = declareJob(s, j.before.value, secretsOf(j.before))
	}
	if j.after.top != nil && action != planner.Delete {
		j.wanted = declareJob(s, j.after.value, secretsOf(j.after))
	}
	if action == planner.NoOp && j.wanted == nil { // only removed from the state
		j.wanted = j.was
	}
	return j
}

// secretsOf returns the write-only secrets with empty values, because plans
// contain no values.
func secretsOf(s side) tftypes.Value {
	versions, _ := s.top["secret_versions"].(map[string]any)
	declared, _ := s.top["secrets"].(map[string]any)
	names := map[string]string{}
	for name := range versions {
		if declared[name] == nil {
			names[name] = ""
		}
	}
	return stringMapValue(names)
}

// settingsOf returns only the settings that a plan needs.
func settingsOf(block terraformplan.ProviderBlock) *settings {
	s := &settings{User: "user", Workspace: localWorkspace}
	if block.Kubernetes || block.Alias != "" {
		s.Cluster = &hclspec.Cluster{
			Name: cmp.Or(block.Alias, kubernetesName), MaxRunTime: durationOf(block.MaxRunTime), MaxWaitTime: durationOf(block.MaxWaitTime),
		}
	}
	return s
}

// durationOf returns 0 if the duration is invalid or not set.
func durationOf(text string) hclspec.Duration {
	d, err := hclspec.ParseDuration(text)
	if err != nil {
		return 0
	}
	return d
}

func (j *jobChange) decision() planner.Decision {
	c := &planner.Change{
		Address: terraformAddress(j.Change), MovedFrom: hclspec.Address(j.PreviousAddress), Cluster: settingsOf(j.Provider).clusterName(),
		Action: j.action, State: j.state(), Secrets: j.secrets(),
	}
	d := planner.Decision{Change: c}
	if j.was != nil {
		d.Before = j.was.resolved
	}
	if j.wanted != nil {
		c.Job = j.wanted.resolved
	}
	if d.Before != nil && (j.action == planner.Delete || j.action == planner.Replace) {
		c.Impact = planner.EndImpact(c.State, d.Before, j.action == planner.Replace)
	}
	if j.action == planner.Update || j.action == planner.Replace {
		c.Drift = j.drift()
	}
	c.Outdated = c.State.Finished() && j.after.top["outdated"] == true
	if c.Outdated && j.action == planner.Update { // only outdated is set
		c.Action = planner.NoOp
	}
	return d
}

// state returns the job state from the refresh.
func (j *jobChange) state() planner.JobState {
	if j.action == planner.Create {
		return planner.StateAbsent
	}
	state, _ := j.before.top["state"].(string)
	if known := planner.JobState(state); slices.Contains(planner.JobStates(), known) {
		return known
	}
	return planner.StateUnknown
}

// drift returns the changes that other programs made to the job.
func (j *jobChange) drift() []planner.Drift {
	lines, _ := j.before.top["drift"].([]any)
	var all []planner.Drift
	for _, line := range lines {
		text, _ := line.(string)
		if d, ok := parseDriftLine(text); ok {
			all = append(all, d)
		}
	}
	return all
}

// secrets compares the versions of the secrets before and after the change.
func (j *jobChange) secrets() []planner.SecretChange {
	before, _ := j.before.top["secret_versions"].(map[string]any)
	after, _ := j.after.top["secret_versions"].(map[string]any)
	all := make([]planner.SecretChange, 0, len(after))
	for _, name := range sortedKeys(after) {
		state := planner.SecretUnchanged
		switch {
		case j.action == planner.Create || before[name] == nil:
			state = planner.SecretNew
		case after[name] == unknownText:
			state = planner.SecretNotChecked
		case after[name] != before[name]:
			state = planner.SecretChanged
		}
		all = append(all, planner.SecretChange{Name: name, State: state})
	}
	return all
}

// finish marks unknown values and sets the reason. For a replacement without
// changed fields or secrets, finish adds the attributes that require the
// replacement.
func (j *jobChange) finish(c *planner.Change) {
	j.hideUnknown(c)
	if c.Action == planner.Replace && len(c.Fields) == 0 && !secretChanged(c) {
		j.namePaths(c)
	}
	c.Reason = j.reason(c)
}

// hideUnknown marks unknown values in the changed fields of c. Before the
// call, c contains placeholders for unknown strings, and defaults for other
// unknown values.
func (j *jobChange) hideUnknown(c *planner.Change) {
	if j.wanted == nil || c.Action != planner.Update && c.Action != planner.Replace {
		return
	}
	for i, f := range c.Fields {
		if f.After == unknownText {
			c.Fields[i].After, c.Fields[i].AfterKnown = nil, false
		}
	}
	for _, full := range j.wanted.Unknown {
		at, ok := strings.CutPrefix(string(full), string(j.wanted.job.Path)+".")
		if !ok {
			continue
		}
		c.Fields = slices.DeleteFunc(c.Fields, func(f planner.FieldChange) bool { return isWithin(string(f.Path), []string{at}) })
		c.Fields = append(c.Fields, j.unshown(full, hclspec.Path(at)))
	}
}

// unshown returns the change to a sensitive or unknown value that is not a
// string.
func (j *jobChange) unshown(full, at hclspec.Path) planner.FieldChange {
	f := planner.FieldChange{Path: at, BeforeKnown: true, AfterKnown: true, Effect: hclspec.EffectReplace, Before: sensitiveText, After: changedText}
	place, ok := j.wanted.Places.AttributeAt(full)
	if !ok {
		return f
	}
	n := node{tree: j.before.top, sensitive: j.Values.BeforeSensitive, otherSensitive: j.Values.AfterSensitive}
	for _, step := range place.Steps() {
		if n.hidden() {
			return f
		}
		switch s := step.(type) {
		case path.PathStepAttributeName:
			n = n.key(string(s))
		case path.PathStepElementKeyString:
			n = n.key(string(s))
		case path.PathStepElementKeyInt:
			n = n.index(int(s))
		}
	}
	if !n.hidden() {
		f.Before, f.After, f.AfterKnown = n.tree, nil, false
	}
	return f
}

// namePaths adds the attributes that require the replacement. Callers use
// namePaths if the fields of a replacement cannot be compared.
func (j *jobChange) namePaths(c *planner.Change) {
	for _, steps := range j.Values.ReplacePaths {
		if len(steps) == 0 {
			continue
		}
		name, ok := steps[0].(string)
		if _, declared := jobInput.AttributeTypes[name]; ok && declared {
			f := planner.FieldChange{Path: hclspec.Path(name), BeforeKnown: true, AfterKnown: true, Before: sensitiveText, After: changedText, Effect: hclspec.EffectReplace}
			if !slices.ContainsFunc(c.Fields, func(g planner.FieldChange) bool { return g.Path == f.Path }) {
				c.Fields = append(c.Fields, f)
			}
		}
	}
}

func secretChanged(c *planner.Change) bool {
	return slices.ContainsFunc(c.Secrets, func(s planner.SecretChange) bool { return s.State == planner.SecretChanged })
}

// reason translates Terraform's action reason.
func (j *jobChange) reason(c *planner.Change) planner.Reason {
	r := planner.Reason{
		Job: c.Address, From: c.MovedFrom, DeclaredBy: planner.DeclaredByTerraform,
		Live:    planner.LiveState{State: c.State, Finished: c.State.Finished(), ExitCode: exitCode(j.before)},
		Changed: planner.Content{Declaration: len(c.Fields) > 0, Secret: secretChanged(c)},
	}
	switch c.Action {
	case planner.Create:
		r.Code = planner.ReasonAbsent
	case planner.Replace:
		r.Code = j.replaceReason()
	case planner.Delete:
		r.Code = planner.ReasonNotDeclared
		if j.Reason == "" {
			r.Code = planner.ReasonDestroy
		}
	case planner.Update:
		r.Code = j.updateReason(c)
	default:
		r.Code = j.noOpReason(c)
		r.Changed.Declaration = true // if the job is outdated, its state contains the declaration with which the job ran
	}
	return r
}

func (j *jobChange) replaceReason() planner.ReasonCode {
	switch j.Reason {
	case "replace_because_tainted":
		return planner.ReasonTainted
	case "replace_by_request":
		return planner.ReasonRequested
	case "replace_by_triggers":
		return planner.ReasonTriggered
	}
	return planner.ReasonContent
}

func (j *jobChange) updateReason(c *planner.Change) planner.ReasonCode {
	drift, _ := j.before.top["drift"].([]any)
	switch {
	case len(c.Fields) > 0 && c.MovedFrom != "":
		return planner.ReasonMovedAndChanged
	case len(c.Fields) > 0:
		return planner.ReasonInPlace
	case len(drift) > 0:
		return planner.ReasonDrift
	case c.MovedFrom != "":
		return planner.ReasonMoved
	}
	return planner.ReasonSetting
}

func (j *jobChange) noOpReason(c *planner.Change) planner.ReasonCode {
	switch {
	case slices.Contains(j.Values.Actions, "forget"):
		return planner.ReasonForgotten
	case c.Outdated:
		return planner.ReasonOutdated
	case c.State.Finished():
		return planner.ReasonFinished
	}
	return planner.ReasonUpToDate
}

func exitCode(s side) *int {
	n, ok := s.top["exit_code"].(hclspec.Number)
	if !ok {
		return nil
	}
	code, err := json.Number(n).Int64()
	if err != nil {
		return nil
	}
	small := int(code)
	return &small
}
