package protocol

import "github.com/openpai/terraform-provider-openpai/hclspec"

// The keys of the early draft of protocol v2 by their present names. Source:
// microsoft/hivedscheduler: example/request/design.
var (
	draftExtras    = map[string]string{"hivedscheduler": "hivedScheduler"}
	draftHivedRole = map[string]string{"gpuType": "skuType", "reservationId": "pinnedCellId"}
)

// draft gives keys of the early draft their present names, unless the present
// name is there too.
func (d *decoder) draft(m *mapping, at place, names map[string]string) *mapping {
	renamed := &mapping{node: m.node}
	for _, e := range m.entries {
		if present, old := names[e.name]; old && !m.has(present) {
			d.report(hclspec.DraftSpelling.At(d.src.at(e.key), "%s.%s is the spelling of an early draft, which OpenPAI ignores. It is read as %s; write that.", at.shown, e.name, present))
			e.name = present
		}
		renamed.entries = append(renamed.entries, e)
	}
	return renamed
}
