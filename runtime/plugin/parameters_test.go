// SPDX-License-Identifier: MPL-2.0

//go:build unix

package plugin

import (
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// reader is a task whose only secret is x.
type reader struct{ Task }

func (reader) Text(template string) (string, error) {
	return strings.ReplaceAll(template, "<% $secrets.x %>", "secret"), nil
}

func TestParametersHaveTheirTypes(t *testing.T) {
	t.Parallel()
	p := newParameters(reader{}, &runspec.Step{Parameters: map[string]any{
		"text": "a <% $secrets.x %>", "large": 1234567.0, "int": 3,
		"one": "alone", "list": []any{"a", "<% $secrets.x %>"}, "half": "0.5", "null": nil, "object": map[string]any{"inner": "b"},
	}})
	for _, c := range []struct{ got, want any }{
		{p.stringValue("text"), "a secret"}, {p.stringValue("large"), "1234567"}, {p.stringValue("int"), "3"}, {p.stringValue("none"), ""}, {p.stringValue("null"), ""},
		{strings.Join(p.stringList("one"), ","), "alone"}, {strings.Join(p.stringList("list"), ","), "a,secret"}, {len(p.stringList("none")), 0},
		{p.numberValue("half"), 0.5}, {p.numberValue("int"), 3.0}, {p.numberValue("none"), 0.0},
		{p.object("object").stringValue("inner"), "b"}, {p.object("none").stringValue("inner"), ""},
		{p.result().Code, 0},
	} {
		if c.got != c.want {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}

func TestInvalidParametersAreReportedTogether(t *testing.T) {
	t.Parallel()
	p := newParameters(reader{}, &runspec.Step{Parameters: map[string]any{
		"text": []any{}, "number": "many", "below": -1.0, "nan": "NaN", "endless": "Inf", "large": 1e20, "list": []any{1.0}, "object": "x", "texts": 5.0,
	}})
	p.stringValue("text")
	p.numberValue("number")
	p.numberValue("below")
	p.numberValue("nan")
	p.numberValue("endless")
	p.numberValue("large")
	p.stringList("list")
	p.stringList("texts")
	p.object("object")
	want := "failed: invalid parameters: text is not a string; number is not a number from 0 to 100000000; " +
		"below is not a number from 0 to 100000000; nan is not a number from 0 to 100000000; endless is not a number from 0 to 100000000; large is not a number from 0 to 100000000; list is not a list of strings; texts is not a list of strings; object is not an object"
	if got := p.result(); got.Reason != want || got.Code == 0 {
		t.Errorf("%+v", got)
	}
}
