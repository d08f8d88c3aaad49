// SPDX-License-Identifier: MPL-2.0

package logtime

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLogLinesAreFilteredAndStampedByTime(t *testing.T) {
	t.Parallel()
	const text = "one\ntwo\n10%\r20%\r30%\nlast"
	index := []byte{}
	for offset, time := range []time.Time{0: at(0), 4: at(100), 12: at(200), 20: at(300)} {
		if !time.IsZero() {
			index = binary.BigEndian.AppendUint64(index, uint64(offset))
			index = binary.BigEndian.AppendUint64(index, uint64(time.UnixNano()))
		}
	}
	for name, test := range map[string]struct {
		lines   Lines
		unknown bool
		want    string
	}{
		"all":               {Lines{}, false, text},
		"times":             {Lines{Stamp: true}, false, "0.000 one\n0.100 two\n0.100 10%\r20%\r30%\n0.300 last"},
		"since":             {Lines{Since: at(100)}, false, "two\n10%\r20%\r30%\nlast"},
		"since within":      {Lines{Since: at(150), Stamp: true}, false, "0.200 20%\r30%\n0.300 last"},
		"since the future":  {Lines{Since: at(400), Stamp: true}, false, ""},
		"times not known":   {Lines{Since: at(400), Stamp: true}, true, "- one\n- two\n- 10%\r20%\r30%\n- last"},
		"since, not known":  {Lines{Since: at(400)}, true, text},
		"times of a stream": {Lines{Stamp: true, at: at(7)}, true, "0.007 one\n0.007 two\n0.007 10%\r20%\r30%\n0.007 last"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for size := 1; size <= len(text); size++ {
				var out bytes.Buffer
				lines := test.lines
				lines.Out = &out
				if !test.unknown {
					lines.Follow(NewIndex(bytes.NewReader(index)))
				}
				for rest := text; rest != ""; {
					n := min(size, len(rest))
					if _, err := lines.Write([]byte(rest[:n])); err != nil {
						t.Fatal(err)
					}
					rest = rest[n:]
				}
				got := strings.NewReplacer("2026-11-23T10:00:0", "", "Z ", " ", Stamp(time.Time{}), "- ").Replace(out.String())
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Fatalf("pieces of %d bytes (-want +got)\n%s", size, diff)
				}
			}
		})
	}
}
