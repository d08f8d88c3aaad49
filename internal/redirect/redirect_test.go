// SPDX-License-Identifier: MPL-2.0

package redirect_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/redirect"
)

func TestRedirectsMayNotLeaveHTTPSOrExceedTheLimit(t *testing.T) {
	t.Parallel()
	const open, secure = "http://a.example", "https://a.example"
	tests := map[string]struct {
		requests string // URLs separated by spaces; the last URL is the next request
		want     error
	}{
		"to another encrypted address":             {secure + " https://b.example", nil},
		"from http to http":                        {open + " http://b.example", nil},
		"from http to https":                       {open + " " + secure, nil},
		"from https to http":                       {secure + " " + open, redirect.ErrUnencrypted},
		"from http over https to http":             {open + " " + secure + " " + open, redirect.ErrUnencrypted},
		"from https over https to http":            {secure + " " + secure + " " + open, redirect.ErrUnencrypted},
		"from https to another protocol":           {secure + " ftp://a.example", redirect.ErrUnencrypted},
		"the last redirect that the limit permits": {strings.Repeat(open+" ", redirect.Max) + open, nil},
		"one redirect more than the limit permits": {strings.Repeat(open+" ", redirect.Max+1) + open, redirect.ErrTooMany},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var all []*http.Request
			for url := range strings.FieldsSeq(tt.requests) {
				all = append(all, httptest.NewRequest(http.MethodGet, url, nil))
			}
			last := len(all) - 1
			if got := redirect.Check(all[last], all[:last]); !errors.Is(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
