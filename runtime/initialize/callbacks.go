// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

var errCommandParameters = errors.New("is not valid; plugin cmd accepts preCommands, postCommands and callbacks (a list of objects with event and commands)")

// commandCallbacks reads the cmd plugin's parameters in the planner's order:
// preCommands, postCommands, callbacks.
func commandCallbacks(parameters map[string]any) ([]runspec.Callback, error) {
	for _, key := range slices.Sorted(maps.Keys(parameters)) {
		if key != "preCommands" && key != "postCommands" && key != "callbacks" {
			return nil, fmt.Errorf("parameters.%s %w", key, errCommandParameters)
		}
	}
	var all []runspec.Callback
	for _, short := range []struct{ key, event string }{{"preCommands", contract.EventTaskStarts}, {"postCommands", contract.EventTaskSucceeds}} {
		value, input := parameters[short.key]
		if !input {
			continue
		}
		commands, err := stringList(short.key, value)
		if err != nil {
			return nil, err
		}
		all = append(all, runspec.Callback{Event: short.event, Commands: commands})
	}
	value, input := parameters["callbacks"]
	list, isList := value.([]any)
	if input && !isList {
		return nil, fmt.Errorf("parameters.callbacks %w", errCommandParameters)
	}
	for i, item := range list {
		c, err := callback(item)
		if err != nil {
			return nil, fmt.Errorf("callbacks[%d]%w", i, err)
		}
		all = append(all, c)
	}
	return all, nil
}

// callback parses an element of callbacks. The caller prefixes the error text
// with the element's name.
func callback(item any) (c runspec.Callback, err error) {
	entry, _ := item.(map[string]any)
	name, _ := entry["event"].(string)
	event, _, known := contract.Event(name)
	if !known {
		return c, fmt.Errorf(".event is %q; it must be one of %s", name, strings.Join(contract.Events, ", "))
	}
	c.Event = event
	for _, key := range slices.Sorted(maps.Keys(entry)) {
		value := entry[key]
		switch key {
		case "event":
		case "commands":
			c.Commands, err = stringList("", value)
		case "failurePolicy":
			if c.FailurePolicy, _ = value.(string); c.FailurePolicy != "fail" && c.FailurePolicy != "ignore" {
				err = fmt.Errorf(" is %v; it must be fail or ignore", value)
			}
		case "timeout":
			c.TimeoutSeconds, err = parseSeconds(value)
		case "retry":
			c.Retry, err = retry(value)
		default:
			err = errors.New(" is not valid; valid keys are event, commands, failurePolicy, timeout and retry")
		}
		if err != nil {
			return c, fmt.Errorf(".%s%w", key, err)
		}
	}
	if c.Commands == nil {
		return c, errors.New(".commands is not given")
	}
	return c, nil
}

func retry(value any) (*runspec.Retry, error) {
	entry, _ := value.(map[string]any)
	attempts, ok := entry["attempts"].(int)
	backoff, input := entry["backoff"]
	if !ok || attempts < 1 || len(entry) > 2 || len(entry) == 2 && !input {
		return nil, errors.New(" must contain attempts (at least 1), and may contain backoff (a duration)")
	}
	r := &runspec.Retry{Attempts: attempts}
	var err error
	if input {
		if r.BackoffSeconds, err = parseSeconds(backoff); err != nil {
			err = fmt.Errorf(".backoff%w", err)
		}
	}
	return r, err
}

// parseSeconds parses a duration of whole seconds. In addition to Go's units,
// the value may contain days.
func parseSeconds(value any) (int, error) {
	text := fmt.Sprint(value)
	days, rest, found := strings.Cut(text, "d")
	if !found {
		days, rest = "0", text
	}
	n, err := strconv.ParseUint(days, 10, 16)
	d, restErr := time.ParseDuration(cmp.Or(rest, "0s"))
	total := int64(n)*24*60*60 + int64(d/time.Second)
	if err != nil || restErr != nil || text == "" || d < 0 || d%time.Second != 0 || total > math.MaxInt64/int64(time.Second) {
		return 0, fmt.Errorf(" is %q; it must be a duration such as 90s or 1d12h", text)
	}
	return int(total), nil
}

// stringList converts a list of strings or a single string. Its error text
// begins with the given name.
func stringList(name string, value any) ([]string, error) {
	if text, one := value.(string); one {
		return []string{text}, nil
	}
	list, ok := value.([]any)
	if !ok {
		return nil, fmt.Errorf("%s must be a list of strings", name)
	}
	out := make([]string, len(list))
	for i, v := range list {
		if out[i], ok = v.(string); !ok {
			return nil, fmt.Errorf("%s[%d] is not a string; quote it", name, i)
		}
	}
	return out, nil
}
