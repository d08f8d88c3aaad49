// SPDX-License-Identifier: MPL-2.0

package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: corpus FOLDER")
		os.Exit(2)
	}
	ok, err := run(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// run reports whether all files behaved as expected.
func run(folder string) (bool, error) {
	files, err := collect(folder)
	if err != nil {
		return false, err
	}
	sum := newSummary()
	for _, f := range files {
		sum.add(f, check(f))
	}
	sum.print()
	jobs, failed, err := checkMerged(files)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(os.Stdout, "\n%d jobs imported in sets of up to %d jobs; %d sets differ from their YAML\n", jobs, setSize, failed)
	return sum.failed+failed == 0, nil
}

// summary counts results by group and by warning.
type summary struct {
	groups   map[string]*counts
	warnings map[string]int
	failed   int
}

type counts struct{ files, accepted, rejected, failed int }

func newSummary() *summary {
	return &summary{groups: map[string]*counts{}, warnings: map[string]int{}}
}

func (s *summary) add(f file, r result) {
	c := s.groups[f.group]
	if c == nil {
		c = &counts{}
		s.groups[f.group] = c
	}
	c.files++
	if r.diags.HasErrors() {
		c.rejected++
	} else {
		c.accepted++
	}
	for _, d := range r.diags {
		if d.Severity == hcl.DiagWarning {
			s.warnings[hclspec.Code(d)]++
		}
	}
	if r.problem != "" {
		c.failed++
		s.failed++
		fmt.Fprintf(os.Stdout, "FAIL %s: %s\n", filepath.Join(f.group, f.name), r.problem)
	}
}

func (s *summary) print() {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "group\tfiles\taccepted\trejected\tnot as expected")
	for _, g := range sortedKeys(s.groups) {
		c := s.groups[g]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\n", g, c.files, c.accepted, c.rejected, c.failed)
	}
	fmt.Fprintln(w, "\nwarning\tcount")
	for _, code := range sortedKeys(s.warnings) {
		fmt.Fprintf(w, "%s\t%d\n", code, s.warnings[code])
	}
	_ = w.Flush()
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
