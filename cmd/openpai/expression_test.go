// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// expressions evaluates GitHub workflow expressions: context paths, strings,
// comparisons, && and ||, and status functions.
type expressions struct {
	t        *testing.T
	contexts map[string]any
	failed   bool // a step of the job failed
}

var interpolated = regexp.MustCompile(`\$\{\{(.*?)\}\}`)

// fill replaces each ${{ }} with the value of its expression.
func (e *expressions) fill(text string) string {
	return interpolated.ReplaceAllStringFunc(text, func(found string) string {
		return fmt.Sprint(e.value(interpolated.FindStringSubmatch(found)[1]))
	})
}

// holds evaluates a condition. Without a status function, the condition also requires
// success().
func (e *expressions) holds(condition string) bool {
	if !strings.Contains(condition, "success()") && !strings.Contains(condition, "failure()") && e.failed {
		return false
	}
	return condition == "" || e.or(condition)
}

func (e *expressions) or(expression string) bool {
	for part := range strings.SplitSeq(expression, "||") {
		if e.and(part) {
			return true
		}
	}
	return false
}

func (e *expressions) and(expression string) bool {
	for part := range strings.SplitSeq(expression, "&&") {
		if !e.compare(part) {
			return false
		}
	}
	return true
}

func (e *expressions) compare(expression string) bool {
	if left, right, ok := strings.Cut(expression, "=="); ok {
		return e.value(left) == e.value(right)
	}
	if left, right, ok := strings.Cut(expression, "!="); ok {
		return e.value(left) != e.value(right)
	}
	value := e.value(expression)
	return value != "" && value != false
}

func (e *expressions) value(expression string) any {
	expression = strings.TrimSpace(expression)
	switch {
	case expression == "success()":
		return !e.failed
	case expression == "failure()":
		return e.failed
	case strings.HasPrefix(expression, "'"):
		return strings.Trim(expression, "'")
	}
	var value any = e.contexts
	for name := range strings.SplitSeq(expression, ".") {
		fields, ok := value.(map[string]any)
		if !ok {
			return "" // GitHub evaluates an unknown property to an empty string
		}
		if value = fields[name]; value == nil {
			return ""
		}
	}
	return value
}

// TestExpressionsOfWorkflowsAreEvaluated checks the expression evaluator that the
// workflow tests use.
func TestExpressionsOfWorkflowsAreEvaluated(t *testing.T) {
	t.Parallel()
	contexts := map[string]any{"github": map[string]any{
		"event_name": "pull_request", "repository": "a/b", "event": map[string]any{"number": 7, "fork": "c/b"},
	}}
	for condition, want := range map[string]bool{
		"": true, "success()": true, "failure()": false, "success() || failure()": true,
		"github.event_name == 'pull_request'": true, "github.event_name != 'pull_request'": false,
		"github.event_name == 'pull_request' && github.event.fork == github.repository": false,
		"github.event_name == 'pull_request' && github.event.fork != github.repository": true,
		"github.event.none.of.it": false, "github.event.number == 7 || github.repository": true,
	} {
		e := &expressions{t: t, contexts: contexts}
		if got := e.holds(condition); got != want {
			t.Errorf("%q: got %t, want %t", condition, got, want)
		}
	}
	failed := &expressions{t: t, contexts: contexts, failed: true}
	if failed.holds("github.repository") || !failed.holds("success() || failure()") {
		t.Error("a step runs after a failure only if its condition requires it")
	}
	if got := failed.fill("no ${{ github.event.number }} of ${{ github.repository }}${{ github.x }}"); got != "no 7 of a/b" {
		t.Errorf("got %q", got)
	}
}
