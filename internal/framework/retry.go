// SPDX-License-Identifier: MPL-2.0

package framework

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Limits for the random delay between a resource conflict and a Framework
// retry. Source: microsoft/frameworkcontroller:
// pkg/apis/frameworkcontroller/v1/config.go.
const (
	MinConflictDelay = 60 * time.Second
	MaxConflictDelay = 900 * time.Second
)

// Special retry counts.
const (
	RetryAlways    = -2 // also after success
	RetryOnFailure = -1
)

// Decision is the result of [Retry]. It determines whether another attempt follows.
type Decision struct {
	Retry bool
	// Accountable retries count against MaxRetryCount.
	Accountable bool
	// Backoff requests a random delay between [MinConflictDelay] and
	// [MaxConflictDelay]. The delay applies only to Frameworks, because the engine
	// retries tasks immediately.
	Backoff bool
	Reason  string
}

// Retry decides whether the engine retries a Framework or task that completed
// with status c.
func Retry(p RetryPolicy, st RetryPolicyStatus, c *CompletionStatus) Decision {
	switch c.Code {
	case CodeStopRequested, CodeAttemptCompletion, CodeDeleteTaskRequested:
		return Decision{Reason: fmt.Sprintf("CompletionCode is %d, %s", c.Code, c.Phrase)}
	}
	if p.FancyRetryPolicy && c.Type.Name == Failed {
		fancy := "FancyRetryPolicy is true and CompletionType is " + c.Type.String()
		switch {
		case c.Type.has(Transient):
			return Decision{Retry: true, Backoff: c.Type.has(Conflict), Reason: fancy}
		case c.Type.has(Permanent):
			return Decision{Reason: fancy}
		}
	}
	return retryByCount(p.MaxRetryCount, st.AccountableRetriedCount, c)
}

func retryByCount(limit, retried int32, c *CompletionStatus) Decision {
	reached := fmt.Sprintf("AccountableRetriedCount %d has reached MaxRetryCount %d", retried, limit)
	notReached := fmt.Sprintf("AccountableRetriedCount %d has not reached MaxRetryCount %d", retried, limit)
	switch {
	case limit == RetryAlways:
		return Decision{Retry: true, Accountable: true, Reason: notReached}
	case c.Type.Name == Succeeded:
		return Decision{Reason: "CompletionType is " + c.Type.String()}
	case limit == RetryOnFailure || retried < limit:
		return Decision{Retry: true, Accountable: true, Reason: notReached}
	default:
		return Decision{Reason: reached}
	}
}

// Next returns the retry status of the next attempt, which decision d
// requested.
func (st RetryPolicyStatus) Next(d Decision) RetryPolicyStatus {
	st.TotalRetriedCount++
	if d.Accountable {
		st.AccountableRetriedCount++
	}
	st.RetryDelaySec = nil
	return st
}

func (t CompletionType) has(a Attribute) bool { return slices.Contains(t.Attributes, a) }

// String returns the result with its attributes, such as "Transient Conflict
// Failed".
func (t CompletionType) String() string {
	var words []string
	for _, a := range t.Attributes {
		words = append(words, string(a))
	}
	if t.Name == Failed && len(words) == 0 {
		words = append(words, "Unknown")
	}
	return strings.Join(append(words, string(t.Name)), " ")
}
