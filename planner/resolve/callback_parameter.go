// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// callbackKeys are the valid keys of a callback in the parameters of the cmd
// plugin.
var callbackKeys = []string{"event", "commands", "failurePolicy", "timeout", "retry"}

// callbackParameter decodes an element of the parameter "callbacks". where
// identifies the element in messages. An unknown key is an error, because it
// would have no effect.
func (t *renderer) callbackParameter(s *Step, element any, where string, at hcl.Range) {
	object, ok := element.(map[string]any)
	name, isText := object["event"].(string)
	if !ok || !isText {
		t.reportAt(InvalidCallbacks, at, "%s must be an object with \"event\" and \"commands\".", where)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(callbackKeys, key) {
			t.reportAt(InvalidCallbacks, at, "%s has the unknown key %q; valid keys are %s.%s", where, key, hclspec.QuoteList(callbackKeys, ""), hclspec.Suggest(key, callbackKeys))
		}
	}
	event, known := t.event(name, at)
	if !known {
		return
	}
	c := t.addCallback(s, "commands in "+where, event, object["commands"], at)
	var problems [3]error
	c.FailurePolicy, problems[0] = policyOf(object["failurePolicy"], s.FailurePolicy)
	c.TimeoutSeconds, problems[1] = durationOf(object["timeout"])
	c.Retry, problems[2] = retryOf(object["retry"], s.Retry)
	for i, key := range []string{"failurePolicy", "timeout", "retry"} {
		if problems[i] != nil {
			t.reportAt(InvalidCallbacks, at, "%s in %s is not valid: %v.", key, where, problems[i])
		}
	}
}

func policyOf(value any, otherwise string) (string, error) {
	switch value {
	case nil:
		return otherwise, nil
	case "fail", "ignore":
		return value.(string), nil
	}
	return otherwise, fmt.Errorf("it must be \"fail\" or \"ignore\"")
}

// durationOf returns seconds, or 0 if the duration is not set.
func durationOf(value any) (int, error) {
	if value == nil {
		return 0, nil
	}
	d, err := hclspec.ParseDuration(fmt.Sprint(value))
	if err == nil && d > hclspec.MaxDuration {
		return 0, fmt.Errorf("a duration can be at most %s", hclspec.MaxDuration)
	}
	return seconds(d, 0), err
}

func retryOf(value any, otherwise *Retry) (*Retry, error) {
	if value == nil {
		return otherwise, nil
	}
	object, _ := value.(map[string]any)
	for key := range object {
		if key != "attempts" && key != "backoff" {
			object = nil
		}
	}
	number, _ := object["attempts"].(hclspec.Number)
	attempts, err := strconv.Atoi(string(number))
	if err != nil || attempts < 1 || attempts > math.MaxInt32 {
		return otherwise, fmt.Errorf("it must be an object with \"attempts\" (an integer from 1 to %d) and, optionally, \"backoff\" (a duration)", math.MaxInt32)
	}
	backoff, err := durationOf(object["backoff"])
	return &Retry{Attempts: attempts, BackoffSeconds: backoff}, err
}
