// SPDX-License-Identifier: MPL-2.0

package metrics

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

var testTime = time.Date(2026, 11, 23, 6, 0, 0, 0, time.UTC)

func TestTheLastValueOfAMetricCounts(t *testing.T) {
	t.Parallel()
	many := ""
	for i := range MaxNames + 4 {
		many += fmt.Sprintf("{\"m%02d\": %d}\n", i, i)
	}
	first := Values{}
	for i := range MaxNames {
		first[fmt.Sprintf("m%02d", i)] = float64(i)
	}
	for name, c := range map[string]struct {
		text string
		want Values
	}{
		"the last value counts":                  {"{\"loss\": 1}\n{\"loss\": 0.5}\n", Values{"loss": 0.5}},
		"a line may have several names":          {`{"loss": 1, "acc": 2e-3}`, Values{"loss": 1, "acc": 0.002}},
		"a last line without a newline":          {"{\"a\": 1}\n{\"b\": 2}", Values{"a": 1, "b": 2}},
		"a line that is being written":           {"{\"a\": 1}\n{\"a\": ", Values{"a": 1}},
		"other lines are ignored":                {"epoch 1\n[1]\n\n{\"a\": 1}\nnull\n", Values{"a": 1}},
		"values that are not numbers":            {`{"a": "1", "b": true, "c": null, "d": [1], "e": 5}`, Values{"e": 5}},
		"numbers that are not finite":            {"{\"a\": NaN}\n{\"b\": 1e999}\n{\"c\": Infinity}", nil},
		"names that are not permitted":           {`{"a b": 1, "": 2, "train/loss_1.x-y": 3, "é": 4}`, Values{"train/loss_1.x-y": 3}},
		"a name of 64 characters, and one of 65": {`{"` + strings.Repeat("a", 64) + `": 1, "` + strings.Repeat("b", 65) + `": 2}`, Values{strings.Repeat("a", 64): 1}},
		"the first names":                        {many, first},
		"nothing":                                {"", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, Parse([]byte(c.text))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestValuesFitIntoTheirBytes(t *testing.T) {
	t.Parallel()
	text := ""
	for i := range MaxNames {
		text += fmt.Sprintf("{\"%s%02d\": %v}\n", strings.Repeat("n", 62), i, -math.MaxFloat64/3)
	}
	v := Parse([]byte(text))
	if size := len(v.Encode()); size > MaxBytes || len(v) < 8 {
		t.Errorf("%d names in %d bytes", len(v), size)
	}
}

func TestWithoutDropsMaskedNamesAndValues(t *testing.T) {
	t.Parallel()
	mask := func(s string) string {
		return strings.NewReplacer("hunter22", "***", "48151623", "***").Replace(s)
	}
	got := Values{"hunter22": 1, "pin": 48151623, "loss": 2}.Without(mask)
	if diff := cmp.Diff(Values{"loss": 2}, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadTakesTheEndOfALongFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "m")
	if v, size, err := Read(file); v != nil || size != 0 || err != nil {
		t.Errorf("read a missing file: %v, size %d, error %v", v, size, err)
	}
	text := "{\"early\": 1}\n" + strings.Repeat("{\"a\": 1}\n", MaxFile/8) + "{\"a\": 2}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	v, size, err := Read(file)
	if err != nil || size != int64(len(text)) || cmp.Diff(Values{"a": 2}, v) != "" {
		t.Errorf("%v, %d, %v", v, size, err)
	}
	if _, _, err := Read(filepath.Dir(file)); err == nil {
		t.Error("a directory was read")
	}
}

func TestALineGivesTheValuesBack(t *testing.T) {
	t.Parallel()
	want := Values{"loss": 0.25, "n": 1e-9}
	line := contract.RuntimeLine(testTime, contract.LevelInfo, want.Text())
	got, ok := ParseLine([]byte(line))
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Errorf("ok %v:\n%s", ok, diff)
	}
	for _, other := range []string{"", `metrics {"a":1}`, strings.TrimSuffix(line, "}"), contract.RuntimeLine(testTime, contract.LevelError, want.Text())} {
		if v, ok := ParseLine([]byte(other)); ok {
			t.Errorf("%q gave %v", other, v)
		}
	}
}

// FuzzParse parses arbitrary input from a task. The values must be within the
// limits. JSON and log lines must preserve the values.
func FuzzParse(f *testing.F) {
	f.Add([]byte("{\"loss\": 0.5}\n{\"acc\": 1}\n"))
	f.Add([]byte(`{"a": 1e999, "b": null, "a": -0}`))
	f.Add([]byte("{\"a\":1}\r\n\x00{\"a\":"))
	f.Fuzz(func(t *testing.T, text []byte) {
		v := Parse(text)
		if len(v) > MaxNames || v != nil && len(v.Encode()) > MaxBytes {
			t.Errorf("%d names in %d bytes", len(v), len(v.Encode()))
		}
		if diff := cmp.Diff(v, v.Clean()); diff != "" {
			t.Errorf("not clean:\n%s", diff)
		}
		if v == nil {
			return
		}
		var back Values
		if err := json.Unmarshal(v.Encode(), &back); err != nil || cmp.Diff(v, back) != "" {
			t.Errorf("%v from %s: %v", back, v.Encode(), err)
		}
		line := contract.RuntimeLine(testTime, contract.LevelInfo, v.Text())
		if again, ok := ParseLine([]byte(line)); !ok || cmp.Diff(v, again) != "" {
			t.Errorf("%v from %s", again, line)
		}
	})
}
