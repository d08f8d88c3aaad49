package view

import "github.com/openpai/terraform-provider-openpai/planner"

// groupJSON is a set of changes with one cause.
type groupJSON struct {
	// Cause is the address of a prerequisite or storage, absent where the
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
