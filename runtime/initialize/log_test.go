// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/redact"
)

func TestTextOfAServerDoesNotActOnATerminal(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := &log{stderr: &out, redactor: redact.New(), now: func() time.Time { return time.Unix(0, 0).UTC() }}
	l.error("the registry answers 500 \x1b]0;title\x07\nagain")
	want := `[Thu Jan  1 00:00:00 UTC 1970] [openpai-runtime] [ERROR] the registry answers 500 \x1b]0;title\a again` + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
