package view

import (
	"encoding/json"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// FormatVersion is that of the JSON of plans and diagnostics. The minor number
// rises when a field is added, the major one when a field changes its meaning
// or goes; readers accept any minor number.
const FormatVersion = "1.1"

type planJSON struct {
	FormatVersion string       `json:"format_version"`
	Workspace     string       `json:"workspace"`
	Offline       bool         `json:"offline"`
	Targets       []string     `json:"targets,omitempty"`
	Empty         bool         `json:"empty"`
	Summary       summaryJSON  `json:"summary"`
	Changes       []changeJSON `json:"changes"`
	// Groups are the changes with one cause; a change that has its cause alone
	// is in none.
	Groups []groupJSON `json:"groups"`
	// Resources are what jobs that are not finished use, before and after apply.
	Resources []sumJSON `json:"resources"`
	// Elsewhere are the jobs that another front end declares.
	Elsewhere   []string         `json:"declared_elsewhere,omitempty"`
	Diagnostics []diagnosticJSON `json:"findings"`
}

type summaryJSON struct {
	Create   int `json:"create"`
	Update   int `json:"update"`
	Replace  int `json:"replace"`
	Delete   int `json:"delete"`
	NoOp     int `json:"no_op"`
	Outdated int `json:"outdated"`
}

type changeJSON struct {
	Address   string       `json:"address"`
	Cluster   string       `json:"cluster"`
	Framework string       `json:"framework"`
	Replaced  string       `json:"replaced,omitempty"`
	MovedFrom string       `json:"moved_from,omitempty"`
	Action    string       `json:"action"`
	Reason    string       `json:"reason"`
	Impact    string       `json:"impact,omitempty"`
	Outdated  bool         `json:"outdated"`
	State     string       `json:"state"`
	Fields    []fieldJSON  `json:"fields"`
	Drift     []driftJSON  `json:"drift,omitempty"`
	Secrets   []secretJSON `json:"secrets"`
	Objects   []objectJSON `json:"objects"`
	// Job is the resolved job as the planner compares it.
	Job *resolve.Job `json:"job,omitempty"`
}

// fieldJSON leaves a side out when it is not known; null means absent.
type fieldJSON struct {
	Path   string           `json:"path"`
	Before *json.RawMessage `json:"before,omitempty"`
	After  *json.RawMessage `json:"after,omitempty"`
	Effect string           `json:"effect"`
	// Cause is the prerequisite, storage or cluster that the field comes from.
	Cause string `json:"cause,omitempty"`
}

type secretJSON struct {
	Name  string `json:"name"`
	State string `json:"state"`
}

type objectJSON struct {
	Kind  string `json:"kind"`
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
}

// JSON shows a plan to a program: indented, keys in a fixed order, the same
// bytes for the same plan.
func JSON(p *planner.Plan) ([]byte, error) {
	n := count(p)
	out := planJSON{
		FormatVersion: FormatVersion, Workspace: p.Workspace, Offline: p.Offline, Empty: p.Empty(),
		Summary:     summaryJSON{n.create, n.update, n.replace, n.delete, n.noOp, n.outdated},
		Changes:     make([]changeJSON, len(p.Changes)),
		Groups:      groups(p),
		Resources:   sumsJSON(p),
		Diagnostics: toDiagnosticsJSON(p.Diagnostics),
	}
	for _, a := range p.Targets {
		out.Targets = append(out.Targets, a.String())
	}
	for _, a := range p.Elsewhere {
		out.Elsewhere = append(out.Elsewhere, a.String())
	}
	for i, c := range p.Changes {
		out.Changes[i] = change(c)
	}
	return indented(out)
}

func indented(v any) ([]byte, error) {
	text, err := plainjson.MarshalIndent(v)
	if err != nil {
		return nil, fmt.Errorf("show as JSON: %w", err)
	}
	return text, nil
}

func change(c *planner.Change) changeJSON {
	out := changeJSON{
		Address: c.Address.String(), Cluster: c.Cluster, Framework: c.Framework, Replaced: c.Replaced,
		MovedFrom: c.MovedFrom.String(), Action: string(c.Action), Reason: reasonAndAdvice(c.Reason), Impact: Impact(c.Impact),
		Outdated: c.Outdated, State: string(c.State), Job: c.Job, Drift: drifts(c.Drift),
		Fields:  fields(c.Fields),
		Secrets: make([]secretJSON, len(c.Secrets)),
		Objects: make([]objectJSON, len(c.Objects)),
	}
	for i, s := range c.Secrets {
		out.Secrets[i] = secretJSON{s.Name, string(s.State)}
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
			Path: string(f.Path), Effect: string(f.Effect), Cause: string(f.Cause),
			Before: knownJSON(f.Before, f.BeforeKnown), After: knownJSON(f.After, f.AfterKnown),
		}
	}
	return all
}

// knownJSON is the JSON of one side of a field, or nil when it is not known.
func knownJSON(v any, known bool) *json.RawMessage {
	if !known {
		return nil
	}
	raw := json.RawMessage(compact(v))
	return &raw
}

// groupJSON is a set of changes with one cause.
type groupJSON struct {
	// Cause is the address of a prerequisite, storage or cluster, absent where the
	// members only have the same difference.
	Cause     string `json:"cause,omitempty"`
	CauseKind string `json:"cause_kind,omitempty"` // changed, added or removed
	// Shared is the difference that all members have. Fields with a cause have
	// a path relative to the task role.
	Shared  []fieldJSON  `json:"shared"`
	Members []memberJSON `json:"members"`
}

type memberJSON struct {
	Address string `json:"address"`
	Action  string `json:"action"`
	// Particular is what not every member has; of a job that is created, what
	// differs from the first member.
	Particular []fieldJSON `json:"particular"`
}

func groups(p *planner.Plan) []groupJSON {
	all := []groupJSON{}
	for _, g := range p.Groups() {
		if len(g.Members) < 2 {
			continue
		}
		out := groupJSON{Cause: string(g.Cause), CauseKind: string(g.CauseKind), Shared: fields(g.Shared)}
		for _, m := range g.Members {
			out.Members = append(out.Members, memberJSON{m.Change.Address.String(), string(m.Change.Action), fields(m.Particular)})
		}
		all = append(all, out)
	}
	return all
}
