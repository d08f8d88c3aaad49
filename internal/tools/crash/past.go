// SPDX-License-Identifier: MPL-2.0

package main

import (
	"fmt"
	"maps"
	"slices"
)

// record is a run in the history.
type record struct {
	Address string
	Number  int
	UID     string
	state   string
}

func (r record) String() string { return fmt.Sprintf("%s@%d", r.Address, r.Number) }

// past contains the records that earlier look calls found in a workspace's
// history.
type past struct {
	held    map[string]map[int]record // by address and number
	removed map[string]bool           // UIDs that gc removed
	uids    map[string]bool
	found   []string // anomalies
}

func newPast() *past {
	return &past{held: map[string]map[int]record{}, removed: map[string]bool{}, uids: map[string]bool{}}
}

// look returns the number of new runs. A missing run is an anomaly unless gc
// removed the oldest runs of a job and kept at least keep runs. If keep is 0, every
// missing run is an anomaly.
func (p *past) look(now []record, keep int) int {
	present, uids := map[string]map[int]record{}, map[string]bool{}
	added := 0
	for _, r := range now {
		if present[r.Address] == nil {
			present[r.Address] = map[int]record{}
		}
		if _, ok := present[r.Address][r.Number]; ok || uids[r.UID] {
			p.report("%s, UID %s: recorded twice", r, r.UID)
		}
		before, ok := p.held[r.Address][r.Number]
		switch highest := p.highest(r.Address); {
		case ok && before.UID != r.UID, !ok && r.Number <= highest:
			p.report("%s: a new run must have a number above %d", r, highest)
		case p.removed[r.UID]:
			p.report("%s: was removed before", r)
		case !ok:
			added++
		}
		present[r.Address][r.Number], uids[r.UID], p.uids[r.UID] = r, true, true
	}
	for address := range p.held {
		p.compare(address, present[address], keep)
	}
	for address, runs := range present {
		if p.held[address] == nil {
			p.held[address] = map[int]record{}
		}
		maps.Copy(p.held[address], runs)
	}
	return added
}

// compare reports runs that are missing from present but must still be in the
// history.
func (p *past) compare(address string, present map[int]record, keep int) {
	numbers := slices.Sorted(maps.Keys(present))
	for n, r := range p.held[address] {
		if _, ok := present[n]; ok || p.removed[r.UID] {
			continue
		}
		if keep == 0 || len(numbers) < keep || n > numbers[0] {
			p.report("%s: lost; the history contains the runs %d", r, numbers)
		}
		p.removed[r.UID] = true
	}
}

// missing returns an anomaly for each UID in ran that was never in the
// history.
func (p *past) missing(ran []string) []string {
	var found []string
	slices.Sort(ran)
	for _, uid := range slices.Compact(ran) {
		if !p.uids[uid] {
			found = append(found, fmt.Sprintf("UID %s: ran without a record", uid))
		}
	}
	return found
}

// unfinished returns an anomaly for each job whose latest run did not succeed.
func (p *past) unfinished() []string {
	var found []string
	for address := range p.held {
		latest := p.held[address][p.highest(address)]
		if latest.state != "SUCCEEDED" {
			found = append(found, fmt.Sprintf("%s: state %q", latest, latest.state))
		}
	}
	return found
}

func (p *past) highest(address string) int {
	return slices.Max(append(slices.Collect(maps.Keys(p.held[address])), 0))
}

func (p *past) report(format string, args ...any) {
	p.found = append(p.found, fmt.Sprintf(format, args...))
}
