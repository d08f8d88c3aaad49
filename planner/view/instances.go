// SPDX-License-Identifier: MPL-2.0

package view

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// folded is a diagnostic that can represent several for_each instances.
type folded struct {
	*hcl.Diagnostic
	// Other instances that have the same detail.
	also []hclspec.Address
	// Instances that the detail does not mention.
	in []hclspec.Address
	// details contains the details of other diagnostics at the same position.
	// For each detail, detailIn contains the address of the instance, or "".
	details  []string
	detailIn []hclspec.Address
}

// sentences returns the details of all diagnostics on one line.
func (f *folded) sentences() string {
	all := []string{f.Detail}
	all = append(all, f.instances()...)
	return strings.Join(append(all, f.details...), " ")
}

// instances returns a sentence that lists the instances with the same detail,
// or nil.
func (f *folded) instances() []string {
	switch {
	case len(f.in) > 0:
		return []string{inInstances(f.in)}
	case len(f.also) > 0:
		return []string{"The same for " + Jobs(f.also) + "."}
	}
	return nil
}

func inInstances(all []hclspec.Address) string { return "In " + Jobs(all) + "." }

// newFolded records the instances unless the detail mentions an instance.
func newFolded(d *hcl.Diagnostic) *folded {
	return &folded{Diagnostic: d, in: unnamed(d)}
}

// unnamed returns the recorded instances, or nil if the detail already
// mentions an instance.
func unnamed(d *hcl.Diagnostic) []hclspec.Address {
	if _, named := hclspec.NamesInstance(d); named || instanceIn.MatchString(d.Detail) {
		return nil
	}
	return hclspec.Instances(d)
}

// sentenceOf returns the detail without the parts that differ between instances.
func sentenceOf(d *hcl.Diagnostic) string {
	anonymous, _ := hclspec.NamesInstance(d)
	return withoutKeys(anonymous)
}

// instanceIn matches the address of an instance in a sentence.
var instanceIn = regexp.MustCompile(`\b(?:job|prerequisite\.\w+)\.[\pL\pN_-]+\["(?:[^"\\]|\\.)*"\]`)

// foldInstances merges diagnostics of the same kind at the same position.
// Diagnostics without a position are merged if their details differ only in an
// instance key. The sets are in the order of their first diagnostics.
func foldInstances(diags hcl.Diagnostics) []*folded {
	var all []*folded
	at := map[foldKey]*folded{}
	known := map[*folded][]string{} // sentences without keys
	for _, d := range diags {
		key, ok := foldKeyOf(d)
		f := at[key]
		if !ok || f == nil {
			f = newFolded(d)
			all = append(all, f)
			if ok {
				at[key] = f
				known[f] = []string{sentenceOf(d)}
			}
			continue
		}
		instance := hclspec.Address(instanceIn.FindString(d.Detail))
		if recorded := hclspec.Instances(d); instance == "" && len(recorded) > 0 {
			instance = recorded[0]
		}
		switch sentence := sentenceOf(d); {
		case sentence == known[f][0] && instance != "" && !slices.Contains(f.also, instance):
			f.also = append(f.also, instance)
			if len(f.in) > 0 && !slices.Contains(f.in, instance) {
				f.in = append(f.in, instance)
			}
		case !slices.Contains(known[f], sentence):
			known[f] = append(known[f], sentence)
			detail := d.Detail
			if in := unnamed(d); len(in) > 0 {
				detail += " " + inInstances(in)
			}
			f.details, f.detailIn = append(f.details, detail), append(f.detailIn, instance)
		}
	}
	return all
}

// foldKey identifies a set of diagnostics that are shown together.
type foldKey struct {
	severity      hcl.DiagnosticSeverity
	code, summary string
	place         hcl.Range
	sentence      string // detail without instance keys, for a diagnostic without a position
}

// foldKeyOf returns false if the diagnostic is shown separately.
func foldKeyOf(d *hcl.Diagnostic) (foldKey, bool) {
	key := foldKey{severity: d.Severity, code: hclspec.Code(d), summary: d.Summary}
	if d.Subject != nil {
		key.place = *d.Subject
		return key, true
	}
	key.sentence = withoutKeys(d.Detail)
	return key, key.sentence != d.Detail
}

func withoutKeys(sentence string) string {
	return instanceIn.ReplaceAllStringFunc(sentence, func(address string) string {
		return string(hclspec.Address(address).Declaration())
	})
}

// separately replaces [foldInstances] in views that show all diagnostics.
func separately(diags hcl.Diagnostics) []*folded {
	all := make([]*folded, len(diags))
	for i, d := range diags {
		all[i] = newFolded(d)
	}
	return all
}
