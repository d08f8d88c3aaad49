// SPDX-License-Identifier: MPL-2.0

package output

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOneLongCellDoesNotWidenATableWithoutEnd(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	long := strings.Repeat("é", 1000)
	Table(&out, [][]string{{"a", long, "x"}, {"b", "short", long}})
	cut := strings.Repeat("é", maxCell-3) + "..."
	want := "a  " + cut + "  x\n" + "b  short" + strings.Repeat(" ", maxCell-len("short")) + "  " + long + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
