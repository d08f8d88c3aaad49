// SPDX-License-Identifier: MPL-2.0

package stage

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

var now = time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)

func same(s string) string { return s }

func TestALineGivesTheRecordBack(t *testing.T) {
	code := 7
	for name, r := range map[string]Record{
		"commands": {Stage: Commands, Since: now},
		"a gang":   {Stage: Preparing, Since: now, Ready: 7, Tasks: 8},
		"a download": {Stage: Fetching, Since: now, Step: "prerequisite.data.mnist", Number: 1, Count: 2,
			Fetch: &Progress{Source: "https://example.com/mnist.zip", Bytes: 34, Total: 100, Rate: 3}},
		"a prerequisite": {Stage: Prerequisite, Since: now, Step: "prerequisite.script.a", Number: 2, Count: 3},
		"a hold":         {Stage: Held, Since: now, Step: "prerequisite.script.hook", Event: "taskFails", ExitCode: &code, Until: now.Add(time.Minute)},
	} {
		t.Run(name, func(t *testing.T) {
			line := contract.RuntimeLine(now, contract.LevelInfo, r.Text(same)) + "\n"
			got, ok := ParseLine([]byte(line))
			r.Version = Version
			if diff := cmp.Diff(r, got); !ok || diff != "" {
				t.Errorf("%q: ok %v, difference:\n%s", line, ok, diff)
			}
		})
	}
}

func TestALineIsShortMaskedAndHarmless(t *testing.T) {
	long := strings.Repeat("\x1b[2J\"<a>", 500)
	r := Record{Stage: Fetching, Since: now, Step: long + "hunter22", Reason: long, Event: long, Fetch: &Progress{Source: long}}
	line := contract.RuntimeLine(now, contract.LevelInfo, r.Text(func(s string) string { return strings.ReplaceAll(s, "hunter22", "***") }))
	if len(line) > 1000 {
		t.Errorf("the line has %d bytes, want at most 1000", len(line))
	}
	if strings.Contains(line, "hunter22") || strings.ContainsRune(line, '\x1b') || strings.Contains(line, "\n") {
		t.Errorf("not masked or not escaped: %q", line)
	}
	got, ok := ParseLine([]byte(line))
	if !ok || !strings.HasSuffix(got.Step, "***") {
		t.Errorf("ok %v, %+v", ok, got)
	}
}

func TestOtherLinesCarryNoStage(t *testing.T) {
	for name, line := range map[string]string{
		"empty":            "",
		"the user's":       `stage {"version":1,"stage":"commands"}`,
		"another version":  contract.RuntimeLine(now, contract.LevelInfo, `stage {"version":2,"stage":"commands"}`),
		"another stage":    contract.RuntimeLine(now, contract.LevelInfo, `stage {"version":1,"stage":"dancing"}`),
		"another level":    contract.RuntimeLine(now, contract.LevelError, `stage {"version":1,"stage":"commands"}`),
		"cut off":          contract.RuntimeLine(now, contract.LevelInfo, `stage {"version":1,"stage":"comm`),
		"a negative count": contract.RuntimeLine(now, contract.LevelInfo, `stage {"version":1,"stage":"commands","count":-1}`),
	} {
		t.Run(name, func(t *testing.T) {
			if r, ok := ParseLine([]byte(line)); ok {
				t.Errorf("%q gave %+v", line, r)
			}
		})
	}
}

func TestStageLinesAreFoundAndRemoved(t *testing.T) {
	text := func(n Name) string {
		return contract.RuntimeLine(now, contract.LevelInfo, Record{Stage: n}.Text(same)) + "\n"
	}
	log := "epoch 1\n" + text(Preparing) + "epoch 2\n" + text(Commands) + "epoch 3"
	if r := Last([]byte(log)); r == nil || r.Stage != Commands {
		t.Errorf("the last stage is %+v", r)
	}
	if got := string(Strip([]byte(log))); got != "epoch 1\nepoch 2\nepoch 3" {
		t.Errorf("stripped: %q", got)
	}
	if r := Last([]byte("epoch 1\n")); r != nil {
		t.Errorf("a log without stage lines has the stage %+v", r)
	}
}

func TestTheStageRecordIsWrittenAndRead(t *testing.T) {
	root := t.TempDir()
	if r := Read(root); r != nil {
		t.Errorf("an empty directory contains the record %+v", r)
	}
	if err := Write(root, Record{Version: Version, Stage: Commands, Since: now}); err != nil {
		t.Fatal(err)
	}
	if r := Read(root); r == nil || r.Stage != Commands || !r.Since.Equal(now) {
		t.Errorf("%+v", r)
	}
	if err := os.WriteFile(filepath.Join(root, fileName), []byte(`{"version":1,"stage":"held","step":"\u001b[2J"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := Read(root); r == nil || strings.ContainsRune(r.Step, '\x1b') {
		t.Errorf("%+v", r)
	}
	Remove(root)
	if r := Read(root); r != nil {
		t.Errorf("%+v", r)
	}
}

func TestRemainingTimeAndPercentNeedASize(t *testing.T) {
	p := Progress{Bytes: 34, Total: 100, Rate: 33}
	if d, ok := p.Remaining(); !ok || d != 2*time.Second {
		t.Errorf("remaining %s, %v", d, ok)
	}
	if n, ok := p.Percent(); !ok || n != 34 {
		t.Errorf("%d %%, %v", n, ok)
	}
	p.Total = 0
	if _, ok := p.Remaining(); ok {
		t.Error("the remaining time of an unknown size is known")
	}
}

// FuzzParseLine checks that the parsed record is safe to print and survives a round
// trip.
func FuzzParseLine(f *testing.F) {
	f.Add([]byte(contract.RuntimeLine(now, contract.LevelInfo, Record{Stage: Commands}.Text(same))))
	f.Add([]byte(contract.RuntimeLine(now, contract.LevelInfo, Record{Stage: Fetching, Fetch: &Progress{Source: "x", Bytes: 1, Total: 2, Rate: 3}}.Text(same))))
	f.Add([]byte("[INFO] stage {}"))
	f.Fuzz(func(t *testing.T, line []byte) {
		r, ok := ParseLine(line)
		if !ok {
			return
		}
		if text := r.Text(same); len(text) > MaxText || strings.ContainsAny(text, "\n\x1b") {
			t.Errorf("%d bytes: %q", len(text), text)
		}
		if r.Fetch != nil {
			_, _ = r.Fetch.Remaining()
			_, _ = r.Fetch.Percent()
		}
		again, ok := Parse(r.Encode())
		if !ok {
			t.Fatalf("not readable again: %s", r.Encode())
		}
		a, _ := json.Marshal(r)
		b, _ := json.Marshal(again)
		if string(a) != string(b) {
			t.Errorf("%s became %s", a, b)
		}
	})
}
