// SPDX-License-Identifier: MPL-2.0

package main

import (
	"strings"
	"testing"
)

// The history may change in only two ways: commands add runs with higher
// numbers, or gc removes the oldest runs.
func TestInvalidChangesOfAHistoryAreFound(t *testing.T) {
	t.Parallel()
	type look struct {
		runs string // job, number and UID
		keep int
	}
	for name, test := range map[string]struct {
		looks []look
		want  string // substring of the only anomaly; "" if there is no anomaly
	}{
		"a run more":                          {[]look{{"a1x", 0}, {"a1x a2y", 0}}, ""},
		"a hole":                              {[]look{{"a1x", 0}, {"a1x a3y", 0}}, ""},
		"jobs with the same number":           {[]look{{"a1x b1y", 0}}, ""},
		"a lost run":                          {[]look{{"a1x a2y", 0}, {"a2y", 0}}, "a@1: lost"},
		"the last run is lost":                {[]look{{"a1x", 0}, {"", 0}}, "a@1: lost"},
		"a number with another UID":           {[]look{{"a1x", 0}, {"a1y", 0}}, "a@1: a new run must have a number above 1"},
		"a number below":                      {[]look{{"a3x", 0}, {"a3x a2y", 0}}, "a@2: a new run must have a number above 3"},
		"the number of a run that gc removed": {[]look{{"a1x a2y a3z", 0}, {"a2y a3z", 2}, {"a1v a2y a3z", 0}}, "a@1: a new run must have a number above 3"},
		"a run that gc removed exists again":  {[]look{{"a1x a2y a3z", 0}, {"a2y a3z", 2}, {"a1x a2y a3z", 0}}, "a@1: was removed"},
		"a number twice":                      {[]look{{"a1x a1y", 0}}, "recorded twice"},
		"a UID twice":                         {[]look{{"a1x a2x", 0}}, "recorded twice"},
		"gc removes the oldest runs":          {[]look{{"a1x a2y a3z", 0}, {"a2y a3z", 2}}, ""},
		"gc is killed before it removes runs": {[]look{{"a1x a2y a3z", 0}, {"a1x a2y a3z", 2}}, ""},
		"gc removes too many runs":            {[]look{{"a1x a2y", 0}, {"a2y", 2}}, "a@1: lost"},
		"gc removes a younger run":            {[]look{{"a1x a2y a3z", 0}, {"a1x a3z", 2}}, "a@2: lost"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPast()
			for _, l := range test.looks {
				var now []record
				for _, text := range strings.Fields(l.runs) {
					now = append(now, record{Address: text[:1], Number: int(text[1] - '0'), UID: text[2:]})
				}
				p.look(now, l.keep)
			}
			if test.want == "" && len(p.found) > 0 || test.want != "" && (len(p.found) != 1 || !strings.Contains(p.found[0], test.want)) {
				t.Errorf("got %q, want %q", p.found, test.want)
			}
		})
	}
}

func TestEachRunThatStartedIsRecorded(t *testing.T) {
	t.Parallel()
	p := newPast()
	p.look([]record{{Address: "a", Number: 1, UID: "x", state: "FAILED"}}, 0)
	if found := p.missing([]string{"x", "y", "x", "y"}); len(found) != 1 || !strings.Contains(found[0], "UID y") {
		t.Errorf("got %q", found)
	}
	if found := p.unfinished(); len(found) != 1 || !strings.Contains(found[0], "a@1") {
		t.Errorf("got %q", found)
	}
}
