package cli

import (
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// showPlan prints the warnings, then the plan.
func showPlan(s *Streams, p *project, plan *planner.Plan) error {
	p.show(s, plan.Findings)
	return view.Text(s.out, plan, s.planText())
}

func (s *Streams) planText() view.TextOptions {
	return view.TextOptions{Color: s.color, Width: s.width}
}
