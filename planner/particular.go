// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
)

// minAlike is the minimum number of instances in a folded entry. A view folds
// instances that differ only in the values of the same fields.
const minAlike = 3

// Particular is a difference that only some members of a group have.
type Particular struct {
	// Fields are the changed fields of the first member.
	Fields []FieldChange
	// Members have equal fields. Alike lists instances of one for_each that
	// change the same fields to different values.
	Members, Alike []Member
}

// Particulars returns the differences that only some members have. Members with
// the same differences share an element. The order of elements is the order of
// their first members.
func (g Group) Particulars() []Particular {
	var all []*Particular
	at := map[string]*Particular{}
	for _, m := range g.Members {
		if len(m.Particular) == 0 {
			continue
		}
		equal, alike := string(plainjson.MustMarshal(m.Particular)), alikeMember(m)
		if p := at[equal]; p != nil {
			p.Members = append(p.Members, m)
			continue
		}
		if p := at[alike]; p != nil {
			p.Alike = append(p.Alike, m)
			continue
		}
		p := &Particular{Fields: m.Particular, Members: []Member{m}}
		at[equal] = p
		if alike != "" {
			at[alike] = p
		}
		all = append(all, p)
	}
	return unfoldFew(all)
}

// unfoldFew moves the Alike members of an entry to separate entries if the
// entry has fewer than minAlike members in total.
func unfoldFew(all []*Particular) []Particular {
	var shown []Particular
	for _, p := range all {
		if len(p.Members)+len(p.Alike) >= minAlike {
			shown = append(shown, *p)
			continue
		}
		shown = append(shown, Particular{Fields: p.Fields, Members: p.Members})
		for _, m := range p.Alike {
			shown = append(shown, Particular{Fields: m.Particular, Members: []Member{m}})
		}
	}
	return shown
}

// alikeMember returns a key for a for_each instance, otherwise "". Instances
// of one for_each share a key if they have the same action and the same
// fields in their Particular lists.
func alikeMember(m Member) string {
	of := m.Change.Address.Declaration()
	if of == m.Change.Address {
		return ""
	}
	return string(of) + "\n" + string(m.Change.Action) + "\n" + shape(m.Particular)
}
