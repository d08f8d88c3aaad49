// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// MinShared is the minimum number of instances in one folded item of a list
// or table. In a list, a folded item is a range of consecutive numbers. In a
// table, a folded item is one line that represents several instances whose
// lines differ only in name and age.
const MinShared = 3

// FoldAddresses formats addresses in natural order, exp2 before exp10. Instances of
// one for_each, and labels that end in consecutive numbers, form one item:
// job.exp[0-11], job.grid["a", "b"].
func FoldAddresses(addresses []Address) []string {
	sorted := slices.Clone(addresses)
	slices.SortStableFunc(sorted, CompareNatural)
	families := map[family][]member{}
	var order []family
	for _, a := range sorted {
		f, m := familyOf(a)
		if families[f] == nil {
			order = append(order, f)
		}
		families[f] = append(families[f], m)
	}
	var items []string
	for _, f := range order {
		// A list can contain both instances, such as exp["0"], and labels,
		// such as exp0. In such a list, job.exp[0-2] represents only the
		// instances, and each label is a separate item.
		if _, ambiguous := families[family{f.base, !f.instances}]; ambiguous && !f.instances {
			items = append(items, addressesOf(families[f])...)
			continue
		}
		items = append(items, f.join(families[f])...)
	}
	return items
}

// ListAddresses joins the items that [FoldAddresses] returns. If the list is
// longer than limit characters, it contains only the first addresses and the
// number of omitted addresses.
func ListAddresses(addresses []Address, limit int) string {
	list := func(part []Address) string { return strings.Join(FoldAddresses(part), ", ") }
	whole := list(addresses)
	if len(whole) <= limit {
		return whole
	}
	sorted := slices.Clone(addresses)
	slices.SortStableFunc(sorted, CompareNatural)
	shown, tooMany := 1, len(sorted)
	for tooMany-shown > 1 {
		if middle := (shown + tooMany) / 2; len(list(sorted[:middle])) > limit {
			tooMany = middle
		} else {
			shown = middle
		}
	}
	if shown == len(sorted) {
		return whole
	}
	return fmt.Sprintf("%s and %d more", list(sorted[:shown]), len(sorted)-shown)
}

// family identifies a group of addresses that a list can show as one item.
// The addresses are instances of one for_each declaration, or their labels
// differ only in a trailing number.
type family struct {
	base      string
	instances bool
}

// member is one address in a family, with its key or number.
type member struct {
	address string
	key     string // instance key, possibly a quoted number; empty for a label
	number  int
	counted bool // number is valid
}

var (
	instancePattern = regexp.MustCompile(`^(.+[^\]])\[("(?:[^"\\]|\\.)*"|[0-9]+)\]$`)
	numberedPattern = regexp.MustCompile(`^(.*[^0-9\]])([1-9][0-9]{0,8}|0)$`)
)

func familyOf(a Address) (family, member) {
	text := string(a)
	m := member{address: text}
	if parts := instancePattern.FindStringSubmatch(text); parts != nil {
		m.key = parts[2]
		m.number, m.counted = decimal(strings.Trim(parts[2], `"`))
		return family{parts[1], true}, m
	}
	if parts := numberedPattern.FindStringSubmatch(text); parts != nil {
		m.number, m.counted = decimal(parts[2])
		return family{parts[1], false}, m
	}
	return family{text, false}, m
}

// decimal parses a number of at least 0 in canonical notation.
func decimal(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && strconv.Itoa(n) == text
}

// join formats the members as items. The item of a single member is its
// address. Brackets contain either only quoted keys or only numbers. A family
// with keys and a range of numbers therefore has two items. Without a range,
// numbers are quoted like keys.
func (f family) join(members []member) []string {
	if len(members) == 1 {
		return addressesOf(members)
	}
	var numbers, keys, quoted, alone []string
	ranges := false
	for run := range runs(members) {
		switch {
		case len(run) >= MinShared:
			ranges = true
			numbers = append(numbers, fmt.Sprintf("%d-%d", run[0].number, run[len(run)-1].number))
		case !f.instances:
			alone = append(alone, addressesOf(run)...)
		case run[0].counted:
			for _, m := range run {
				numbers, quoted = append(numbers, strconv.Itoa(m.number)), append(quoted, strconv.Quote(strconv.Itoa(m.number)))
			}
		default:
			keys, quoted = append(keys, run[0].key), append(quoted, run[0].key)
		}
	}
	if len(keys) > 0 && !ranges {
		numbers, keys = nil, quoted
	}
	var items []string
	for _, list := range [][]string{numbers, keys} {
		if len(list) > 0 {
			items = append(items, f.base+"["+strings.Join(list, ", ")+"]")
		}
	}
	return append(items, alone...)
}

// runs yields groups of members with consecutive numbers. A member without a
// number is a separate group.
func runs(members []member) func(yield func([]member) bool) {
	return func(yield func([]member) bool) {
		start := 0
		for i := 1; i <= len(members); i++ {
			if i < len(members) && members[i].counted && members[i-1].counted && members[i].number == members[i-1].number+1 {
				continue
			}
			if !yield(members[start:i]) {
				return
			}
			start = i
		}
	}
}

func addressesOf(members []member) []string {
	all := make([]string, len(members))
	for i, m := range members {
		all[i] = m.address
	}
	return all
}
