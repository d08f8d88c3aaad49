// SPDX-License-Identifier: MPL-2.0

package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// expectation is the expected result of a file.
type expectation int

const (
	accept    expectation = iota // loads, resolves, renders and survives the round trip
	readItems                    // parses as marketplace items
	reject                       // is rejected, and the first error contains the cause
	report                       // any result except a crash
)

// file is one file of the corpus.
type file struct {
	group, name, path string
	want              expectation
	cause             string // the reason for the rejection
}

// collect returns the YAML files of all groups, sorted by name.
func collect(folder string) ([]file, error) {
	var all []file
	for _, group := range []string{"jobs-v2", "legacy-tasks", "seeds", "invalid", "differential"} {
		expected, err := readExpected(filepath.Join(folder, group, "EXPECTED.tsv"))
		if err != nil {
			return nil, err
		}
		entries, err := os.ReadDir(filepath.Join(folder, group))
		if group == "differential" && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if filepath.Ext(e.Name()) != ".yaml" {
				continue
			}
			f := file{group: group, name: e.Name(), path: filepath.Join(folder, group, e.Name())}
			f.want, f.cause = expect(group, e.Name(), expected)
			all = append(all, f)
		}
	}
	return all, nil
}

// readExpected maps file names to expectations. It returns an empty map if the
// table does not exist.
func readExpected(name string) (map[string]string, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	expected := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name, what, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			expected[name] = what
		}
	}
	return expected, nil
}

func expect(group, name string, expected map[string]string) (expectation, string) {
	what := expected[name]
	switch {
	case group == "invalid":
		return reject, what
	case strings.HasPrefix(what, "reject"):
		return reject, strings.TrimPrefix(what, "reject: ")
	case strings.HasPrefix(name, "component-"):
		return readItems, ""
	case (group == "seeds" || group == "differential") && !strings.HasPrefix(what, "accept"):
		return report, ""
	}
	return accept, ""
}
