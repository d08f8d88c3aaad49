// SPDX-License-Identifier: MPL-2.0

package history

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/locator"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func job() *resolve.Job {
	return &resolve.Job{
		Address: "job.train", Name: "train", Framework: "f0", User: "alice", Workspace: "ws", Cluster: "local",
		TaskRoles: []*resolve.TaskRole{{
			Name: "worker", FrameworkName: "worker", Instances: 2, Image: resolve.Image{URI: "img:1@sha256:00"},
			Commands: []string{"train <a> & b"}, Limits: hclspec.Limits{CPU: 2, MemoryMB: 64, GPU: 1},
			Steps: []*resolve.Step{{Address: "prerequisite.data.a", Fetch: []*resolve.Fetch{{URL: "https://x/a", SHA256: "aa"}}}},
		}},
	}
}

func newRun(number int) *Run {
	r := New(job(), "h1:00", Origin{Command: "openpai run", OpenPAI: "1.0.0"}, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	r.Number, r.UID = number, "0123abcd-0000-4000-8000-000000000000"
	return r
}

func TestARecordIsReadAsItWasWritten(t *testing.T) {
	r := newRun(3)
	again, err := Decode("x.json", r.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(r.Encode()), string(again.Encode())); diff != "" {
		t.Errorf("the record changes (-want +got)\n%s", diff)
	}
	resolved, err := again.Resolved()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(job().Canonical()), string(resolved.Canonical())); diff != "" {
		t.Errorf("the resolved job changes (-want +got)\n%s", diff)
	}
	want := []Image{{TaskRole: "worker", URI: "img:1", Digest: "sha256:00"}}
	if diff := cmp.Diff(want, again.Images); diff != "" {
		t.Errorf("images (-want +got)\n%s", diff)
	}
	if again.Resources.GPUs != 2 || len(again.Data) != 1 {
		t.Errorf("resources %+v, data %+v", again.Resources, again.Data)
	}
}

func TestARecordThatCannotBeReadNamesFileAndVersion(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"a later format":            {`{"version":7}`, "format version 7"},
		"no version":                {`{"number":1}`, "must be at least 1"},
		"a negative version":        {`{"version":-1}`, "must be at least 1"},
		"not JSON":                  {`{`, "damaged"},
		"another value":             {`[]`, "damaged"},
		"nothing":                   {``, "damaged"},
		"without a number":          {`{"version":1,"framework":"f","address":"job.a","workspace":"w"}`, "number"},
		"a number that is a string": {`{"version":1,"number":"x"}`, "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Decode("history/a.json", []byte(tt.text))
			var format *FormatError
			if !errors.As(err, &format) || !strings.Contains(err.Error(), "history/a.json") || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want a FormatError with the file and %q", err, tt.want)
			}
		})
	}
}

func TestPartsAreOmittedInOrder(t *testing.T) {
	r := newRun(1)
	r.Logs, r.Tasks = []Log{{Role: "worker", Tail: "x"}}, []Task{{Role: "worker"}}
	var seen []string
	for s := range r.Shorter() {
		seen = append(seen, strings.Join(s.Omitted, ","))
	}
	if diff := cmp.Diff([]string{"", "logs", "logs,attempts", "logs,attempts,job"}, seen); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(r.Job) == 0 || len(r.Omitted) > 0 {
		t.Error("the run itself was changed")
	}
}

// Decode must not panic. A decoded document must survive a round trip through
// Encode and Decode.
func FuzzDecode(f *testing.F) {
	f.Add(newRun(2).Encode())
	f.Add([]byte(`{"version":1,"number":1,"framework":"f","address":"job.a","workspace":"w","job":null,"variables":[{"name":"a","value":1}]}`))
	f.Add([]byte(`{"version":99}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Decode("x", text)
		if err != nil {
			return
		}
		if _, err := r.Resolved(); err != nil {
			r.Omit(PartJob)
		}
		_, _ = r.Duration()
		first := r.Encode()
		again, err := Decode("x", first)
		if err != nil {
			t.Fatalf("the encoded run cannot be decoded: %v\n%s", err, first)
		}
		if !bytes.Equal(first, again.Encode()) {
			t.Errorf("encoding the decoded run changes the document:\n%s\n%s", first, again.Encode())
		}
	})
}

// DecodeCounters must not panic. Next must return a number above the last number
// and atLeast.
func FuzzCounters(f *testing.F) {
	c := Counters{}
	c.Next("job.a", 0)
	f.Add(c.Encode("w"), 3)
	f.Add([]byte(`{"version":1,"workspace":"w","last":{"job.a":-1}}`), 0)
	f.Fuzz(func(t *testing.T, text []byte, atLeast int) {
		c, err := DecodeCounters("x", "w", text)
		if err != nil || atLeast > maxNumber {
			return
		}
		before := c.Last["job.a"]
		if n := c.Next("job.a", atLeast); n <= before || n <= atLeast {
			t.Errorf("the next number is %d; want more than the last number %d and more than %d", n, before, atLeast)
		}
	})
}

func TestAReferenceFindsExactlyOneRun(t *testing.T) {
	a, b := newRun(3), newRun(4)
	b.UID = "99999999-0000-4000-8000-000000000000"
	c := newRun(3)
	c.Address, c.UID = "job.eval", "deadbeef-0000-4000-8000-000000000000"
	runs := []*Run{a, b, c}
	for text, want := range map[string]any{
		"job.train@3": a, "train@4": b, "4": b, "0123abcd": a, "99999999": b,
		"3": "it matches job.train@3 (0123abcd), job.eval@3 (deadbeef); use ADDRESS@NUMBER", "job.train@9": "does not exist", "x": "invalid run", "@3": "invalid run", "job.train@0": "invalid run", "": "invalid run",
	} {
		f, err := ParseReference(text, func(s string) hclspec.Address {
			return hclspec.Address("job." + strings.TrimPrefix(s, "job."))
		})
		var found *Run
		if err == nil {
			found, err = Find(runs, f, text)
		}
		if wanted, ok := want.(*Run); ok {
			if err != nil || found != wanted {
				t.Errorf("%q finds the run %v, error %v", text, found, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want.(string)) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func TestKeysSurviveTheirText(t *testing.T) {
	k := newRun(12).Key()
	if again, ok := ParseKey(k.String()); !ok || again != k {
		t.Errorf("the key %v is parsed as %v", k, again)
	}
	for _, text := range []string{"", "counters", "f-0-00000000", "f-1-../x", "../f-1-00000000", "F-1-00000000"} {
		if k, ok := ParseKey(text); ok {
			t.Errorf("%q is read as %v", text, k)
		}
	}
}

func TestTheOldestRunsAreRemovedFirst(t *testing.T) {
	size := func(framework string, number int, bytes, logs, order int64) Size {
		return Size{Key: Key{Framework: framework, Number: number}, Bytes: bytes, LogBytes: logs, Order: order}
	}
	all := []Size{size("a", 1, 10, 5, 1), size("b", 1, 10, 50, 2), size("a", 2, 10, 5, 3), size("a", 3, 10, 90, 4)}
	for name, tt := range map[string]struct {
		limits     Limits
		runs, logs []string
	}{
		"no limit":                           {limits: Limits{}},
		"two runs of a job":                  {limits: Limits{Runs: 2}, runs: []string{"a-1-"}},
		"the latest run of each job remains": {limits: Limits{Bytes: 1}, runs: []string{"a-1-", "a-2-"}},
		"as many bytes as needed":            {limits: Limits{Bytes: 30}, runs: []string{"a-1-"}},
		"the oldest logs are removed first, but not the latest": {limits: Limits{LogBytes: 100}, logs: []string{"a-1-", "a-2-"}},
	} {
		t.Run(name, func(t *testing.T) {
			if want := len(tt.runs)+len(tt.logs) > 0; want && !tt.limits.MayExceed(all) {
				t.Error("the limits count as not exceeded")
			}
			runs, logs := tt.limits.Excess(all)
			if diff := cmp.Diff([][]string{tt.runs, tt.logs}, [][]string{texts(runs), texts(logs)}); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestARunGetsTheHashesOfItsDownloads(t *testing.T) {
	const sum = "522d45a4d29c8cc69b7525211ceccfaa45bd7c06385ac7c71e1231b5fe0d111f"
	r := &Run{Data: []Data{
		{Prerequisite: "p.a", URL: "https://x/named"},
		{Prerequisite: "p.a", URL: "https://x/by-key"},
		{Prerequisite: "p.b", URL: "https://x/named", SHA256: "pinned"},
		{Prerequisite: "p.a", URL: "https://one:secret@x/hidden"},
		{Prerequisite: "p.a", URL: "https://two:secret@x/hidden"},
	}}
	r.AddFetched([]exitspec.Fetched{
		{Step: "p.a", URL: "https://x/named", SHA256: sum, Bytes: 1},
		{Key: exitspec.FetchedKey("p.a", "https://x/by-key"), SHA256: sum, Bytes: 2},
		{Step: "p.b", URL: "https://x/named", SHA256: sum, Bytes: 3},
		{Step: "p.a", URL: locator.Show("https://one:secret@x/hidden"), SHA256: sum, Bytes: 4},
		{Step: "p.a", URL: "https://x/unknown", SHA256: sum, Bytes: 5},
		{Step: "p.a", URL: "https://x/named", SHA256: "no hash", Bytes: -1},
	})
	want := []Data{
		{Prerequisite: "p.a", URL: "https://x/named", SHA256: sum, Bytes: 1},
		{Prerequisite: "p.a", URL: "https://x/by-key", SHA256: sum, Bytes: 2},
		{Prerequisite: "p.b", URL: "https://x/named", SHA256: "pinned", Bytes: 3},
		{Prerequisite: "p.a", URL: "https://one:secret@x/hidden"},
		{Prerequisite: "p.a", URL: "https://two:secret@x/hidden"},
	}
	if diff := cmp.Diff(want, r.Data); diff != "" {
		t.Errorf("data (-want +got)\n%s", diff)
	}
}

func texts(keys []Key) []string {
	var all []string
	for _, k := range keys {
		all = append(all, k.String())
	}
	slices.Sort(all)
	return all
}

func TestADurationEndsWithTheRun(t *testing.T) {
	t.Parallel()
	launched := time.Date(2026, 1, 2, 3, 5, 0, 0, time.UTC)
	completed, seen := launched.Add(time.Minute), launched.Add(time.Hour)
	for name, c := range map[string]struct {
		outcome *Outcome
		want    time.Duration // 0: unknown
	}{
		"no outcome":            {nil, 0},
		"a run that ended":      {&Outcome{State: planner.StateSucceeded, Launched: &launched, Completed: &completed, Seen: seen}, time.Minute},
		"a running run":         {&Outcome{State: planner.StateRunning, Launched: &launched, Seen: seen}, 0},
		"deleted while running": {&Outcome{State: planner.StateRunning, Deleted: true, Launched: &launched, Seen: seen}, time.Hour},
		"adopted while running": {&Outcome{State: planner.StateRunning, Adopted: true, Launched: &launched, Seen: seen}, time.Hour},
		"deleted while waiting": {&Outcome{State: planner.StateWaiting, Deleted: true, Seen: seen}, 0},
	} {
		r := newRun(1)
		r.Outcome = c.outcome
		if got, ok := r.Duration(); got != c.want || ok != (c.want > 0) {
			t.Errorf("%s: %v, %v; want %v", name, got, ok, c.want)
		}
	}
}
