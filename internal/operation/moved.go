// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"fmt"
	"maps"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// moved maps old addresses to new addresses. It omits old addresses with a
// declared job. It follows chains of moves and omits cycles.
func (o *Operation) moved() map[hclspec.Address]hclspec.Address {
	steps := map[hclspec.Address]hclspec.Address{}
	for _, m := range o.options.Workspace.Moved {
		steps[m.From] = m.To
	}
	for _, job := range o.options.Workspace.Jobs {
		delete(steps, job.Address())
	}
	all := map[hclspec.Address]hclspec.Address{}
	for from, to := range steps {
		for n := 0; steps[to] != "" && n < len(steps); n++ {
			to = steps[to]
		}
		if steps[to] == "" {
			all[from] = to
		}
	}
	return all
}

// move moves the records of renamed jobs. It writes each new file before it removes
// the old file. An interrupted move can therefore be repeated. Until then, two
// files may have the same UID. move skips unreadable records.
func (d recordDirectory) move(moved map[hclspec.Address]hclspec.Address) error {
	if d.name == "" {
		return nil
	}
	for _, from := range slices.Sorted(maps.Keys(moved)) {
		for _, name := range d.list(directoryOf(from)) {
			if !recordFile.MatchString(name) {
				continue
			}
			if err := d.moveFile(directoryOf(from), name, moved[from]); err != nil {
				return fmt.Errorf("move the record %s of %s: %w", name, from, err)
			}
		}
	}
	return nil
}

func (d recordDirectory) moveFile(job, name string, to hclspec.Address) error {
	r, err := d.read(job, name)
	if err != nil {
		return nil //nolint:nilerr // Runs reports the record, which must not prevent an apply
	}
	r.Address = to
	there, err := d.read(directoryOf(to), name)
	if err != nil || r.Finished() && !there.Finished() {
		if err := d.write(r); err != nil {
			return err
		}
	}
	return d.removeFile(job, name)
}

// recorded returns the highest run number of a job in the run record directory.
// It includes records at earlier addresses, because the next apply moves these
// records.
func (o *Operation) recorded(a hclspec.Address) int {
	n := o.records().highest(a)
	for from, to := range o.moved() {
		if to == a {
			n = max(n, o.records().highest(from))
		}
	}
	return n
}
