// SPDX-License-Identifier: MPL-2.0

//go:build unix

package plugin

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// parameters reads a step's parameters and collects the errors.
type parameters struct {
	task Task
	all  map[string]any
	errs []string
}

func newParameters(t Task, step *runspec.Step) *parameters {
	return &parameters{task: t, all: step.Parameters}
}

// result returns a failure that lists the invalid parameters, or success if
// there are none.
func (p *parameters) result() Result {
	if len(p.errs) == 0 {
		return Result{}
	}
	return failed("failed: invalid parameters: %s", strings.Join(p.errs, "; "))
}

func (p *parameters) invalid(name, want string) {
	p.errs = append(p.errs, name+" is not "+want)
}

// stringValue returns a parameter as a string, or "" if the parameter is not
// set. It accepts any scalar.
func (p *parameters) stringValue(name string) string {
	switch v := p.all[name].(type) {
	case nil:
		return ""
	case string:
		return p.fill(name, v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case int, bool:
		return fmt.Sprint(v)
	}
	p.invalid(name, "a string")
	return ""
}

func (p *parameters) fill(name, text string) string {
	filled, err := p.task.Text(text)
	if err != nil {
		p.errs = append(p.errs, name+": "+err.Error())
	}
	return filled
}

// stringList converts a single string to a list with one element.
func (p *parameters) stringList(name string) []string {
	switch v := p.all[name].(type) {
	case nil:
		return nil
	case string:
		return []string{p.fill(name, v)}
	case []any:
		var all []string
		for _, element := range v {
			text, isText := element.(string)
			if !isText {
				p.invalid(name, "a list of strings")
				return nil
			}
			all = append(all, p.fill(name, text))
		}
		return all
	}
	p.invalid(name, "a list of strings")
	return nil
}

// maxNumber is the maximum value of a numeric parameter. It is low enough
// that a time.Duration can represent this number of minutes.
const maxNumber = 100_000_000

// numberValue returns a number from 0 to maxNumber, or 0 if the parameter is
// not set.
func (p *parameters) numberValue(name string) float64 {
	text := p.stringValue(name)
	if text == "" {
		return 0
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || !(value >= 0 && value <= maxNumber) { // also rejects NaN
		p.invalid(name, "a number from 0 to "+strconv.Itoa(maxNumber))
		return 0
	}
	return value
}

// object returns an empty result if the parameter is not set.
func (p *parameters) object(name string) *parameters {
	inner := &parameters{task: p.task}
	switch v := p.all[name].(type) {
	case nil:
	case map[string]any:
		inner.all = v
	default:
		p.invalid(name, "an object")
	}
	return inner
}
