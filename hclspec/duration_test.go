// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestDurationsAreDaysHoursMinutesAndSeconds(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		text      string
		want      time.Duration
		canonical string
		err       string
	}{
		"seconds":                           {text: "90s", want: 90 * time.Second, canonical: "1m30s"},
		"days and hours":                    {text: "1d12h", want: 36 * time.Hour, canonical: "1d12h"},
		"every unit":                        {text: "2d3h4m5s", want: 51*time.Hour + 4*time.Minute + 5*time.Second, canonical: "2d3h4m5s"},
		"zero":                              {text: "0m", want: 0, canonical: "0s"},
		"more hours than a day":             {text: "49h", want: 49 * time.Hour, canonical: "2d1h"},
		"nothing":                           {text: "", err: "number with a unit"},
		"a number without unit":             {text: "30", err: "integers, each followed by one of the units"},
		"a unit without number":             {text: "h", err: "integers, each followed by one of the units"},
		"a fraction":                        {text: "1.5h", err: "a duration uses the units"},
		"a negative span":                   {text: "-1h", err: "integers, each followed by one of the units"},
		"an unknown unit":                   {text: "3w", err: "a duration uses the units"},
		"units in the wrong order":          {text: "1m1h", err: "in the order"},
		"one unit twice":                    {text: "1h1h", err: "at most once"},
		"a blank between the parts":         {text: "1h 1m", err: "integers, each followed by one of the units"},
		"more than the maximum of the type": {text: "999999999999d", err: "at most 290 years"},
		"more than any integer":             {text: "99999999999999999999s", err: "at most 290 years"},
		"a sum that overflows":              {text: "106751d24h", err: "at most 290 years"},
		"the largest number of days":        {text: "106751d", want: 106751 * 24 * time.Hour, canonical: "106751d"},
		"a non-ASCII letter as unit":        {text: "3µ", err: "a duration uses the units"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := ParseDuration(c.text)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v does not contain %q", err, c.err)
				}
				return
			}
			if err != nil || time.Duration(got) != c.want {
				t.Fatalf("got %s and error %v, want %s", time.Duration(got), err, c.want)
			}
			if got.String() != c.canonical {
				t.Errorf("canonical form %q, want %q", got, c.canonical)
			}
		})
	}
}

func TestDurationSurvivesJSON(t *testing.T) {
	t.Parallel()
	src, err := json.Marshal(Duration(36 * time.Hour))
	if err != nil || string(src) != `"1d12h"` {
		t.Fatalf("got %s and error %v", src, err)
	}
	var back Duration
	if err := json.Unmarshal(src, &back); err != nil || back != Duration(36*time.Hour) {
		t.Fatalf("got %s and error %v", back, err)
	}
	if err := json.Unmarshal([]byte(`"soon"`), &back); err == nil {
		t.Error("a string that is not a duration was accepted")
	}
}

func FuzzParseDuration(f *testing.F) {
	for _, s := range []string{"1d12h", "90s", "", "1h1h", "106751d23h47m16s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDuration(text)
		if err != nil {
			return
		}
		again, err := ParseDuration(d.String())
		if err != nil || again != d {
			t.Fatalf("%q reads as %s, which reads as %s (%v)", text, d, again, err)
		}
	})
}
