// SPDX-License-Identifier: MPL-2.0

package api

import (
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// Error reports a request that the API server rejected or did not respond to.
// It wraps the cause, which is an *apierrors.StatusError if the server
// responded.
type Error struct {
	What   string // the operation and the object
	Advice string // what to do, or ""
	Err    error
	hint   message.Fact // how to resolve the error, or nil
}

func (e *Error) Error() string {
	text := e.What + ": " + e.Err.Error()
	if e.Advice != "" {
		text += ". " + e.Advice
	}
	return text
}

// Hint implements message.Hinted.
func (e *Error) Hint() message.Fact { return e.hint }

// Unwrap returns the cause. For "not found" and "forbidden", it also returns
// the error from package cluster.
func (e *Error) Unwrap() []error {
	switch {
	case apierrors.IsNotFound(e.Err):
		return []error{e.Err, cluster.ErrNotFound}
	case apierrors.IsForbidden(e.Err):
		return []error{e.Err, cluster.ErrForbidden}
	}
	return []error{e.Err}
}

func explain(what string, err error) error {
	text, hint := advice(err)
	return &Error{What: what, Advice: text, Err: withoutPath(err), hint: hint}
}

// canceled returns an error without advice, because the caller canceled the
// request.
func canceled(what string, err error) error { return &Error{What: what, Err: withoutPath(err)} }

// withoutPath reduces the URL in an error to its host, because the returned
// error already reports the operation.
func withoutPath(err error) error {
	var broken *url.Error
	if !errors.As(err, &broken) {
		return err
	}
	u, parseErr := url.Parse(broken.URL)
	if parseErr != nil {
		return err
	}
	if strings.Contains(broken.Err.Error(), u.Host) {
		return broken.Err
	}
	return fmt.Errorf("%s: %w", u.Host, broken.Err)
}

// Advice returns advice on how to resolve a request error. The advice is a
// sentence without a full stop, or "" for an unknown cause.
func Advice(err error) message.Text {
	text, hint := advice(err)
	if hint == nil {
		return message.Textf("%s", text)
	}
	return message.Textf("%s; %s", text, hint)
}

// advice returns advice for all front ends, and a hint that each front end words
// differently. The hint may be nil.
func advice(err error) (string, message.Fact) {
	switch {
	case IsOwnerConflict(err):
		return "Another program owns these fields: remove the fields from its configuration, or delete the object and apply again", nil
	case apierrors.IsUnauthorized(err):
		return "The API server rejected the credential; log in again, or renew the credential", nil
	case apierrors.IsForbidden(err):
		return "Ask an administrator for this permission", message.Hint{Kind: message.HintListRequirements}
	case apierrors.IsRequestEntityTooLargeError(err):
		return "Shorten the commands of the job, for example by moving them into a script that a prerequisite fetches", nil
	case isNamespaceMissing(err):
		return "Create the namespace, or set another namespace in the cluster block", nil
	case isKindMissing(err):
		return "The cluster does not support objects of this kind", message.Hint{Kind: message.HintListMissing}
	case isCertificate(err):
		return "Check the certificate authority and the address of the cluster in the configuration", nil
	case isCredentialPlugin(err):
		return "The credential plugin failed; log in again", nil
	case isUnreachable(err):
		return "Check the cluster's address and the network connection", nil
	}
	return "", nil
}

// statusError decodes the response to a rejected request. If the body is not a
// Status, for example from a proxy, statusError uses the status line and the start
// of the body.
func statusError(res *http.Response, answer []byte) error {
	var s metav1.Status
	if json.Unmarshal(answer, &s) != nil || s.Kind != "Status" || s.Code == 0 {
		text := strings.TrimSpace(string(answer[:min(len(answer), 200)]))
		s = metav1.Status{Status: metav1.StatusFailure, Code: int32(res.StatusCode), Reason: reason(res.StatusCode), Message: strings.TrimSpace(res.Status + " " + text)}
	}
	if seconds, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil {
		if s.Details == nil {
			s.Details = &metav1.StatusDetails{}
		}
		s.Details.RetryAfterSeconds = int32(min(max(seconds, 0), 3600))
	}
	return &apierrors.StatusError{ErrStatus: s}
}

func reason(code int) metav1.StatusReason {
	switch code {
	case http.StatusUnauthorized:
		return metav1.StatusReasonUnauthorized
	case http.StatusForbidden:
		return metav1.StatusReasonForbidden
	case http.StatusNotFound:
		return metav1.StatusReasonNotFound
	case http.StatusConflict:
		return metav1.StatusReasonConflict
	case http.StatusRequestEntityTooLarge:
		return metav1.StatusReasonRequestEntityTooLarge
	case http.StatusTooManyRequests:
		return metav1.StatusReasonTooManyRequests
	}
	return metav1.StatusReasonUnknown
}

// IsOwnerConflict reports whether another field manager owns an applied field.
func IsOwnerConflict(err error) bool {
	return apierrors.HasStatusCause(err, metav1.CauseTypeFieldManagerConflict)
}

// ConflictsWithUs reports whether field managers of this program own all
// conflicting fields. The API server uses a separate field manager for fields
// from patches of this program.
func ConflictsWithUs(err error) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) || status.Status().Details == nil {
		return false
	}
	for _, c := range status.Status().Details.Causes {
		if c.Type == metav1.CauseTypeFieldManagerConflict && !strings.HasPrefix(c.Message, `conflict with "`+FieldManager+`"`) {
			return false
		}
	}
	return true
}

func isCertificate(err error) bool {
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	return errors.As(err, &unknown) || errors.As(err, &host)
}

// isCredentialPlugin reports whether the credential plugin failed. It checks
// the message, because client-go does not define an error type for this
// failure.
func isCredentialPlugin(err error) bool {
	var broken *url.Error
	return errors.As(err, &broken) && strings.HasPrefix(broken.Err.Error(), "getting credentials: ")
}

// isUnreachable reports whether the request received no response.
func isUnreachable(err error) bool {
	var broken *url.Error
	return errors.As(err, &broken) || errors.Is(err, errNoAnswer)
}

func isNamespaceMissing(err error) bool {
	details := detailsOf(err)
	return apierrors.IsNotFound(err) && details != nil && details.Kind == "namespaces"
}

// isKindMissing reports whether the server does not support the kind. The
// response then contains neither the kind nor the name of an object.
func isKindMissing(err error) bool {
	details := detailsOf(err)
	return apierrors.IsNotFound(err) && (details == nil || details.Name == "" && details.Kind == "")
}

func detailsOf(err error) *metav1.StatusDetails {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return nil
	}
	return status.Status().Details
}

// IsNotFound reports whether the object, its namespace or its kind does not
// exist.
func IsNotFound(err error) bool { return errors.Is(err, cluster.ErrNotFound) }
