// SPDX-License-Identifier: MPL-2.0

package view

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// FormatVersion is the version of all documents and events that commands print
// as JSON. The minor version increases when a field is added. The major version
// increases when a field is removed or its meaning changes. Readers must accept
// any minor version.
const FormatVersion = "1.0"

// PlanDocument is the JSON document for a plan.
type PlanDocument struct {
	FormatVersion string             `json:"format_version" doc:"Version of the format: MAJOR.MINOR. A new minor version only adds fields"`
	Workspace     string             `json:"workspace"`
	Offline       bool               `json:"offline" doc:"Whether the plan was created without access to clusters"`
	Targets       []string           `json:"targets,omitempty" doc:"Addresses to which the plan is limited"`
	Empty         bool               `json:"empty" doc:"Whether apply would leave everything unchanged"`
	Summary       summaryJSON        `json:"summary"`
	Changes       []changeJSON       `json:"changes" doc:"Jobs in declaration order, deletions last"`
	Groups        []groupJSON        `json:"groups" doc:"Changes grouped by shared cause; a change with a unique cause is not in any group"`
	Resources     []sumJSON          `json:"resources" doc:"Resource usage of unfinished jobs, before and after apply"`
	Inputs        inputsJSON         `json:"inputs" doc:"Data and images of the jobs that apply starts"`
	Quotas        []planner.QuotaUse `json:"quotas" doc:"Virtual cluster quotas and job requests; the plan does not reserve anything"`
	Policies      []policyJSON       `json:"policies" doc:"Checked policies; violations are also diagnostics"`
	Elsewhere     []string           `json:"declared_elsewhere,omitempty" doc:"Jobs that a different front end declares"`
	Others        *othersJSON        `json:"terraform,omitempty" doc:"Other changes in a Terraform plan"`
	Diagnostics   []Diagnostic       `json:"diagnostics"`
}

// Report adds diagnostics. All documents of the openpai CLI have this method.
func (p *PlanDocument) Report(diags ...Diagnostic) { p.Diagnostics = append(p.Diagnostics, diags...) }

type summaryJSON struct {
	Create   int `json:"create"`
	Update   int `json:"update"`
	Replace  int `json:"replace"`
	Delete   int `json:"delete"`
	NoOp     int `json:"no_op"`
	Outdated int `json:"outdated"`
}

type changeJSON struct {
	Address    string             `json:"address"`
	Cluster    string             `json:"cluster"`
	Framework  string             `json:"framework" doc:"Name of the Framework after the change"`
	Replaced   string             `json:"replaced,omitempty" doc:"Name of the Framework that is deleted"`
	MovedFrom  string             `json:"moved_from,omitempty"`
	Action     planner.Action     `json:"action"`
	Reason     string             `json:"reason" doc:"Why, in words"`
	ReasonCode string             `json:"reason_code" doc:"Reason code"`
	Impact     string             `json:"impact,omitempty" doc:"Impact on running work, as text"`
	EndedTasks int                `json:"ended_tasks" doc:"Number of running tasks that end"`
	Outdated   bool               `json:"outdated" doc:"Whether the job has finished and its declaration has changed since then"`
	State      planner.JobState   `json:"state" doc:"State of the job on its cluster"`
	Fields     []fieldJSON        `json:"fields"`
	Drift      []Drift            `json:"drift,omitempty"`
	Secrets    []secretChangeJSON `json:"secrets"`
	Objects    []objectJSON       `json:"objects"`
	Job        *resolve.Job       `json:"job,omitempty" doc:"The resolved job that the planner compares; absent for a deletion"`
}

// fieldJSON is a change to a field. It omits unknown values; null means that
// the field has no value.
type fieldJSON struct {
	Path   string           `json:"path"`
	Before *json.RawMessage `json:"before,omitempty" doc:"null if the field has no value; absent if unknown"`
	After  *json.RawMessage `json:"after,omitempty" doc:"null if the field has no value; absent if unknown"`
	Effect hclspec.Effect   `json:"effect"`
	Cause  string           `json:"cause,omitempty" doc:"The prerequisite, storage or cluster that the field comes from, or the variables and locals that changed it (var.NAME, local.NAME, separated by commas)"`
}

type secretChangeJSON struct {
	Name  string              `json:"name"`
	State planner.SecretState `json:"state"`
}

type objectJSON struct {
	Kind  string `json:"kind"`
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
}

// JSON returns a plan as indented JSON with keys in a fixed order. The same plan
// always produces the same JSON. phrase returns the text for the facts in the
// plan.
func JSON(p *planner.Plan, phrase message.Phrase) ([]byte, error) {
	return indented(NewPlanDocument(p, phrase))
}

// NewPlanDocument returns the JSON document for a plan.
func NewPlanDocument(p *planner.Plan, phrase message.Phrase) *PlanDocument {
	n := count(p)
	out := &PlanDocument{
		FormatVersion: FormatVersion, Workspace: p.Workspace, Offline: p.Offline, Empty: p.Empty(),
		Summary:     summaryJSON{n.create, n.update, n.replace, n.delete, n.noOp, n.outdated},
		Changes:     make([]changeJSON, len(p.Changes)),
		Groups:      groups(p),
		Resources:   sumsJSON(p),
		Inputs:      toInputsJSON(p.Inputs),
		Quotas:      append([]planner.QuotaUse{}, p.Quotas...),
		Policies:    policiesJSON(p),
		Others:      toOthersJSON(p.Others),
		Diagnostics: NewDiagnostics(p.Diagnostics, phrase),
	}
	for _, a := range p.Targets {
		out.Targets = append(out.Targets, a.String())
	}
	for _, a := range p.Elsewhere {
		out.Elsewhere = append(out.Elsewhere, a.String())
	}
	for i, c := range p.Changes {
		out.Changes[i] = change(c, phrase)
	}
	return out
}

func indented(v any) ([]byte, error) {
	text, err := plainjson.MarshalIndent(v)
	if err != nil {
		return nil, fmt.Errorf("show as JSON: %w", err)
	}
	return text, nil
}

func change(c *planner.Change, phrase message.Phrase) changeJSON {
	out := changeJSON{
		Address: c.Address.String(), Cluster: c.Cluster, Framework: c.Framework, Replaced: c.Replaced,
		MovedFrom: c.MovedFrom.String(), Action: c.Action, Reason: reasonAndAdvice(c.Reason, phrase), ReasonCode: string(c.Reason.Code),
		Impact: Impact(c.Impact), EndedTasks: c.Impact.Tasks,
		Outdated: c.Outdated, State: c.State, Job: c.Job, Drift: NewDrifts(c.Drift),
		Fields:  fields(c.Fields),
		Secrets: make([]secretChangeJSON, len(c.Secrets)),
		Objects: make([]objectJSON, len(c.Objects)),
	}
	for i, s := range c.Secrets {
		out.Secrets[i] = secretChangeJSON{s.Name, s.State}
	}
	for i, o := range c.Objects {
		out.Objects[i] = objectJSON(o)
	}
	return out
}

func fields(changes []planner.FieldChange) []fieldJSON {
	all := make([]fieldJSON, len(changes))
	for i, f := range changes {
		all[i] = fieldJSON{
			Path: string(f.Path), Effect: f.Effect, Cause: string(f.Cause),
			Before: knownJSON(f.Before, f.BeforeKnown), After: knownJSON(f.After, f.AfterKnown),
		}
	}
	return all
}

// FieldDifference is a field that differs, in the format of a JSON plan.
type FieldDifference = fieldJSON

// FieldDifferences returns fields that differ, in the format of a JSON plan.
func FieldDifferences(changes []planner.FieldChange) []FieldDifference { return fields(changes) }

// knownJSON returns a value as compact JSON, or nil if the value is unknown.
func knownJSON(v any, known bool) *json.RawMessage {
	if !known {
		return nil
	}
	raw := json.RawMessage(compact(v))
	return &raw
}

// groupJSON is a set of changes with one cause.
type groupJSON struct {
	Cause     string            `json:"cause,omitempty" doc:"Address of a prerequisite, storage or cluster, or variables and locals (var.NAME, local.NAME, separated by commas); absent if the members share a difference but not a cause"`
	CauseKind planner.CauseKind `json:"cause_kind,omitempty"`
	Shared    []fieldJSON       `json:"shared" doc:"Differences that all members share. Fields that come from a shared declaration have a path relative to the task role"`
	Members   []memberJSON      `json:"members"`
	Alike     []alikeJSON       `json:"alike,omitempty" doc:"for_each instances with differences in the same fields but with different values"`
}

// alikeJSON lists instances that differ in the same fields.
type alikeJSON struct {
	Fields []string `json:"fields" doc:"Paths of the fields; prerequisite addresses in a path do not contain instance keys"`
	First  []string `json:"first" doc:"Instances with the same difference as the first instance"`
	Others []string `json:"others" doc:"Instances with different values"`
}

type memberJSON struct {
	Address    string         `json:"address"`
	Action     planner.Action `json:"action"`
	Particular []fieldJSON    `json:"particular" doc:"Differences that not all members share; for a created job, differences from the first member"`
}

func groups(p *planner.Plan) []groupJSON {
	all := []groupJSON{}
	for _, g := range p.Groups() {
		if len(g.Members) < 2 {
			continue
		}
		out := groupJSON{Cause: string(g.Cause), CauseKind: g.CauseKind, Shared: fields(g.Shared)}
		for _, m := range g.Members {
			out.Members = append(out.Members, memberJSON{m.Change.Address.String(), m.Change.Action, fields(m.Particular)})
		}
		out.Alike = toAlikeJSON(g)
		all = append(all, out)
	}
	return all
}

func toAlikeJSON(g planner.Group) []alikeJSON {
	var all []alikeJSON
	for _, p := range g.Particulars() {
		if len(p.Alike) == 0 {
			continue
		}
		out := alikeJSON{First: addressTexts(p.Members), Others: addressTexts(p.Alike)}
		for _, f := range p.Fields {
			if path := string(planner.WithoutInstance(f.Path)); !slices.Contains(out.Fields, path) {
				out.Fields = append(out.Fields, path)
			}
		}
		all = append(all, out)
	}
	return all
}

func addressTexts(members []planner.Member) []string {
	all := make([]string, len(members))
	for i, m := range members {
		all[i] = m.Change.Address.String()
	}
	return all
}
