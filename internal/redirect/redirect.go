// SPDX-License-Identifier: MPL-2.0

package redirect

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
)

// Max is the maximum number of redirects that a client follows for one request.
const Max = 10

// Reasons why a client does not follow a redirect.
var (
	ErrTooMany     = fmt.Errorf("the server redirected more than %d times", Max)
	ErrUnencrypted = errors.New("the server redirected from https to http")
)

// Check implements the field CheckRedirect of [http.Client]. It fails with ErrTooMany
// after Max redirects. It fails with ErrUnencrypted if an unencrypted request follows
// an encrypted request.
func Check(next *http.Request, via []*http.Request) error {
	encrypted := func(r *http.Request) bool { return r.URL.Scheme == "https" }
	switch {
	case len(via) > Max:
		return ErrTooMany
	case !encrypted(next) && slices.ContainsFunc(via, encrypted):
		return ErrUnencrypted
	}
	return nil
}
