// SPDX-License-Identifier: MPL-2.0

package api

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"
)

func TestOnlyTransientRequestFailuresAreRetried(t *testing.T) {
	t.Parallel()
	answer := func(code int, after string) error {
		res := &http.Response{StatusCode: code, Status: http.StatusText(code), Header: http.Header{}}
		if after != "" {
			res.Header.Set("Retry-After", after)
		}
		return statusError(res, []byte("from a proxy"))
	}
	conflict := statusError(&http.Response{StatusCode: http.StatusConflict, Header: http.Header{}}, []byte(`{"kind":"Status","code":409,"reason":"Conflict","details":{"causes":[{"reason":"FieldManagerConflict","message":"conflict with \"helm\" using v1","field":".data.x"}]}}`))
	exists := statusError(&http.Response{StatusCode: http.StatusConflict, Header: http.Header{}}, []byte(`{"kind":"Status","code":409,"reason":"AlreadyExists"}`))
	tests := map[string]struct {
		err     error
		again   bool
		atLeast time.Duration
	}{
		"too many requests":                         {answer(429, ""), true, 0},
		"too many requests, with a time":            {answer(429, "3"), true, 3 * time.Second},
		"too many requests, with an excessive time": {answer(429, "86400"), true, 5 * time.Second},
		"an internal error":                         {answer(500, ""), true, 0},
		"a gateway":                                 {answer(503, ""), true, 0},
		"writers that met":                          {answer(409, ""), true, 0},
		"another manager's field":                   {conflict, false, 0},
		"a name that is in use":                     {exists, false, 0},
		"no permission":                             {answer(403, ""), false, 0},
		"too large":                                 {answer(413, ""), false, 0},
		"no such object":                            {answer(404, ""), false, 0},
		"a broken connection":                       {errors.New("connection reset by peer"), true, 0},
		"no answer in time":                         {errNoAnswer, true, 0},
		"the caller gave up":                        {context.Canceled, false, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBackoff(Timeouts{Attempts: 3, First: time.Millisecond, Last: 5 * time.Second})
			pause, again := b.next(tt.err)
			if again != tt.again || pause < tt.atLeast || pause > 5*time.Second {
				t.Errorf("retry %t after %s, want %t after at least %s", again, pause, tt.again, tt.atLeast)
			}
			b.next(tt.err)
			if _, again := b.next(tt.err); again {
				t.Error("a fourth time")
			}
		})
	}
}

func TestConflictNamesTheOtherManager(t *testing.T) {
	t.Parallel()
	err := statusError(&http.Response{StatusCode: http.StatusConflict, Header: http.Header{}}, []byte(`{"kind":"Status","code":409,"reason":"Conflict","message":"Apply failed with 1 conflict: conflict with \"helm\" using v1: .data.x","details":{"causes":[{"reason":"FieldManagerConflict","message":"conflict with \"helm\" using v1","field":".data.x"}]}}`))
	var typed *Error
	if got := explain("apply ConfigMap x", err); !errors.As(got, &typed) || typed.Advice == "" || ConflictsWithUs(got) {
		t.Errorf("error %v", got)
	}
}
