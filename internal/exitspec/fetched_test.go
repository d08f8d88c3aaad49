// SPDX-License-Identifier: MPL-2.0

package exitspec

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/metrics"
)

func fetchedFiles(n int) []Fetched {
	var all []Fetched
	for i := range n {
		all = append(all, Fetched{Step: "prerequisite.data.mnist", URL: fmt.Sprintf("https://example.org/%d.gz", i), SHA256: fmt.Sprintf("%064x", i), Bytes: 9_912_422})
	}
	return all
}

func TestMessageHasTheDownloads(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 5000)
	values := metrics.Values{}
	for i := range metrics.MaxNames {
		values[fmt.Sprintf("%s%d", strings.Repeat("n", 30), i)] = 0.25
	}
	for name, tt := range map[string]struct {
		r    Record
		want int
	}{
		"none":                         {Record{}, 0},
		"two, next to a long log":      {Record{Fetched: fetchedFiles(2)}, 2},
		"the first of many":            {Record{Fetched: fetchedFiles(MaxFetched)}, 7},
		"with metrics":                 {Record{Fetched: fetchedFiles(4), Metrics: values}, 4},
		"with the texts of a failure":  {Record{Code: 255, Reason: long, Step: long, Stage: "commands", Metrics: values, Fetched: fetchedFiles(4)}, 4},
		"metrics go before downloads":  {Record{Code: 255, Reason: long, Step: long, Stage: long, Phrase: long, Advice: long, Hint: Hint(long), Metrics: values, Fetched: fetchedFiles(7)}, 0},
		"a size of 64 bits":            {Record{Fetched: []Fetched{{Step: "a", Bytes: 1 << 62, SHA256: strings.Repeat("ab", 32)}}}, 1},
		"commits":                      {Record{Fetched: []Fetched{{Step: "a", Bytes: 1, Commit: strings.Repeat("ab", 20)}, {Step: "b", Bytes: 2, Commit: strings.Repeat("cd", 32)}}}, 2},
		"a download without a hash":    {Record{Fetched: []Fetched{{Step: "a", Bytes: 1}}}, 1},
		"a hash that is not a SHA-256": {Record{Fetched: []Fetched{{Step: "a", Bytes: 1, SHA256: "ab"}}}, 1},
	} {
		text := Message(tt.r, Match{UserLine: long}, []byte(long), []byte(long))
		got := read(t, text)
		if len(got.Metrics) != len(tt.r.Metrics) {
			t.Errorf("%s: metrics %v", name, got.Metrics)
		}
		var want []Fetched
		for _, f := range tt.r.Fetched[:tt.want] {
			if len(f.SHA256) != 64 {
				f.SHA256 = ""
			}
			want = append(want, Fetched{Key: FetchedKey(f.Step, f.URL), SHA256: f.SHA256, Commit: f.Commit, Bytes: f.Bytes})
		}
		if diff := cmp.Diff(want, ParseFetched(got.Fetched)); diff != "" {
			t.Errorf("%s (-want +got)\n%s\n%s", name, diff, text)
		}
	}
}

func TestParseFetchedSkipsInvalidStrings(t *testing.T) {
	t.Parallel()
	valid := FetchedKey("a", "b") + " 3 -"
	for name, item := range map[string]string{
		"empty":            "",
		"two parts":        FetchedKey("a", "b") + " 3",
		"a negative size":  FetchedKey("a", "b") + " -3 -",
		"a large size":     FetchedKey("a", "b") + " 99999999999999999999 -",
		"a key in capital": strings.ToUpper(FetchedKey("a", "b")) + " 3 -",
		"a short hash":     FetchedKey("a", "b") + " 3 AAAA",
		"a short commit":   FetchedKey("a", "b") + " 3 git:AAAA",
		"a hash in hex":    FetchedKey("a", "b") + " 3 " + strings.Repeat("ab", 32),
	} {
		if got := ParseFetched([]string{item, valid}); len(got) != 1 || got[0].Bytes != 3 {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := ParseFetched(slices.Repeat([]string{valid}, 1000)); len(got) != MaxFetched {
		t.Errorf("%d downloads of 1000, want %d", len(got), MaxFetched)
	}
}
