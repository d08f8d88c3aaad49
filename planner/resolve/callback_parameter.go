package resolve

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// callbackKeys are those of a callback among the parameters of the cmd plugin.
var callbackKeys = []string{"event", "commands", "failurePolicy", "timeout", "retry"}

// callbackParameter reads an element of callbacks, which messages call where.
// Everything in it counts, so what is not understood is an error.
func (r *resolver) callbackParameter(s *Step, element any, where string, at hcl.Range) {
	object, ok := element.(map[string]any)
	name, isText := object["event"].(string)
	if !ok || !isText {
		r.reportAt(hclspec.InvalidCallbacks, at, "%s is not an object with event and commands.", where)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(callbackKeys, key) {
			r.reportAt(hclspec.InvalidCallbacks, at, "%s has %q; there are %s.%s", where, key, listOr(callbackKeys, ""), hclspec.Suggest(key, callbackKeys))
		}
	}
	event, known := r.event(name, s.Address, at)
	if !known {
		return
	}
	c := r.addCallback(s, "commands in "+where, event, object["commands"], at)
	var problems [3]error
	c.FailurePolicy, problems[0] = policyOf(object["failurePolicy"], s.FailurePolicy)
	c.TimeoutSeconds, problems[1] = spanOf(object["timeout"])
	c.Retry, problems[2] = retryOf(object["retry"], s.Retry)
	for i, key := range []string{"failurePolicy", "timeout", "retry"} {
		if problems[i] != nil {
			r.reportAt(hclspec.InvalidCallbacks, at, "%s in %s is not valid: %v.", key, where, problems[i])
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
	return otherwise, fmt.Errorf("it is fail or ignore")
}

// spanOf reads a duration in seconds; 0: none is given.
func spanOf(value any) (int, error) {
	if value == nil {
		return 0, nil
	}
	d, err := hclspec.ParseDuration(fmt.Sprint(value))
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
	if err != nil || attempts < 1 {
		return otherwise, fmt.Errorf("it has attempts, at least 1, and backoff, a duration")
	}
	backoff, err := spanOf(object["backoff"])
	return &Retry{Attempts: attempts, BackoffSeconds: backoff}, err
}
