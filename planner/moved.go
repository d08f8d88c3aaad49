package planner

import "github.com/openpai/terraform-provider-openpai/hclspec"

// movedFrom returns the old address of each job that was moved, by its new
// one. Blocks that would lead in a circle are left out.
func (p *planning) movedFrom() map[hclspec.Address]hclspec.Address {
	moves := map[hclspec.Address]hclspec.Address{}
	for _, m := range p.o.Moved {
		if p.declaration(m.From) != nil {
			p.find(MovedStillDeclared.At(p.o.Sources.Range(m.Path),
				"%s was moved to %s, but %s is still declared. Remove it, or the moved block.", m.From, m.To, m.From))
			continue
		}
		if !leadsTo(moves, m.From, m.To) {
			moves[m.To] = m.From
		}
	}
	return moves
}

// leadsTo reports whether following the moves from one address comes to
// another, or begins there.
func leadsTo(moves map[hclspec.Address]hclspec.Address, from, to hclspec.Address) bool {
	for address, ok := from, true; ok; address, ok = moves[address] {
		if address == to {
			return true
		}
	}
	return false
}
