// SPDX-License-Identifier: MPL-2.0

package shape

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// openJob is a job as the provider declares it.
var openJob = New(hclspec.JobBlock, false, "secret.value").Open([]string{"id", "definition"}, "prerequisites")

func openValue(t *testing.T, prerequisites tftypes.Value) tftypes.Value {
	t.Helper()
	values := map[string]tftypes.Value{}
	for name, typ := range openJob.Type().AttributeTypes {
		values[name] = tftypes.NewValue(typ, nil)
	}
	values["prerequisites"] = prerequisites
	return tftypes.NewValue(openJob.Type(), values)
}

func opened(t *testing.T, prerequisites tftypes.Value) (*Decoder, *hclspec.Job) {
	t.Helper()
	d, job := NewDecoder(), &hclspec.Job{}
	d.Decode(openJob, openValue(t, prerequisites), job, "job.j", path.Empty())
	return d, job
}

type object = map[string]any

func TestValuesOfAnOpenAttributeAreValidated(t *testing.T) {
	t.Parallel()
	number := hclspec.Number("2")
	script := func(more object) any {
		p := object{"type": "script", "name": "s"}
		for key, v := range more {
			p[key] = v
		}
		return []any{p}
	}
	cases := map[string]struct {
		written any
		want    []string
	}{
		"all is right":                     {script(object{"retry": object{"attempts": number}, "environment": object{"A": "b"}}), nil},
		"numbers and strings are equal":    {script(object{"version": number, "retry": object{"attempts": "2"}, "tags": []any{number, true}}), nil},
		"a value instead of a JSON string": {script(object{"parameters": object{"depth": number}}), nil},
		"JSON text":                        {script(object{"parameters": `{"depth":2}`}), nil},
		"an invalid JSON string":           {script(object{"parameters": "{"}), []string{"prerequisites[0].parameters: parameters is not valid JSON: it ends unexpectedly. Write it with jsonencode."}},
		"null is not written":              {script(object{"retry": nil, "uri": nil, "template_variables": object{"x": nil}}), nil},
		"no list":                          {object{"name": "s"}, []string{"prerequisites: prerequisites must be a list of objects, but it is an object."}},
		"a list of texts":                  {[]any{"s"}, []string{"prerequisites[0]: A prerequisite must be an object, but this is a string."}},
		"a misspelled attribute":           {script(object{"callback": []any{}}), []string{`prerequisites[0].callback: Unknown attribute "callback" in a prerequisite. Did you mean "callbacks"?`}},
		"a misspelled attribute inside":    {script(object{"callbacks": []any{object{"event": "taskStarts", "comands": []any{"true"}}}}), []string{`prerequisites[0].callbacks[0].comands: Unknown attribute "comands" in a callback. Did you mean "commands"?`}},
		"a missing attribute":              {[]any{object{"type": "script"}}, []string{"prerequisites[0]: This prerequisite requires the attribute name. Name of the prerequisite; in HCL the second label."}},
		"a missing attribute inside":       {script(object{"retry": object{}}), []string{"prerequisites[0].retry: This retry requires the attribute attempts. Maximum number of tries."}},
		"a string instead of a number":     {script(object{"retry": object{"attempts": "many"}}), []string{"prerequisites[0].retry.attempts: attempts must be a number, but it is a string."}},
		"a list instead of a string":       {script(object{"title": []any{"a"}}), []string{"prerequisites[0].title: title must be a string, but it is a list."}},
		"a string instead of a list":       {script(object{"tags": "a"}), []string{"prerequisites[0].tags: tags must be a list of strings, but it is a string."}},
		"a list instead of an object":      {script(object{"retry": []any{}}), []string{"prerequisites[0].retry: retry must be an object, but it is a list."}},
		"a reference that is a string":     {script(object{"require": []any{"x"}}), []string{"prerequisites[0].require[0]: A reference must be an object, but this is a string."}},
		"a list in a list of strings":      {script(object{"tags": []any{"a", []any{}}}), []string{"prerequisites[0].tags: tags must be a list of strings, but element 1 is a list."}},
		"a list in a map of strings":       {script(object{"environment": object{"A": []any{}}}), []string{`prerequisites[0].environment: environment must be a map of strings, but "A" is a list.`}},
		"a whole resource":                 {script(object{"id": "prerequisite.script.s", "definition": "{}"}), nil},
		"a list instead of a map":          {script(object{"template_variables": []any{}}), []string{"prerequisites[0].template_variables: template_variables must be a map of objects, but it is a list."}},
		"an invalid duration":              {script(object{"retry": object{"attempts": number, "backoff": "soon"}}), []string{`prerequisites[0].retry.backoff: backoff is "soon", but a duration consists of integers, each followed by one of the units d, h, m and s, for example "1d12h".`}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, _ := opened(t, Dynamic(c.written))
			var got []string
			for _, f := range d.Diags {
				got = append(got, f.Subject.Filename+": "+f.Detail)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestUnknownValuesInAnOpenAttributeAreRecorded(t *testing.T) {
	t.Parallel()
	unknown := tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	list := func(types ...tftypes.Value) tftypes.Value {
		typ := tftypes.Tuple{}
		for _, v := range types {
			typ.ElementTypes = append(typ.ElementTypes, v.Type())
		}
		return tftypes.NewValue(typ, types)
	}
	values := map[string]tftypes.Value{
		"name": tftypes.NewValue(tftypes.String, "s"), "title": unknown,
		"tags": list(tftypes.NewValue(tftypes.String, "one"), unknown),
		"uri":  tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue),
	}
	typ := tftypes.Object{AttributeTypes: map[string]tftypes.Type{}}
	for name, v := range values {
		typ.AttributeTypes[name] = v.Type()
	}
	d, job := opened(t, list(tftypes.NewValue(typ, values)))
	want := []hclspec.Path{"job.j.prerequisite[0].tags[1]", "job.j.prerequisite[0].title", "job.j.prerequisite[0].uri"}
	if diff := cmp.Diff(want, slices.Sorted(slices.Values(d.Unknown))); diff != "" || len(d.Diags) > 0 {
		t.Errorf("(-want +got)\n%s%v", diff, d.Diags)
	}
	if diff := cmp.Diff([]string{"one", ""}, job.Prerequisites[0].Tags); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestAnotherSpellingOfAnOpenAttributeIsKept(t *testing.T) {
	t.Parallel()
	retry := func(backoff string) any {
		return []any{object{"type": "script", "name": "s", "retry": object{"attempts": hclspec.Number("2"), "backoff": backoff}}}
	}
	prior := Dynamic(retry("90s"))
	for name, c := range map[string]struct {
		planned tftypes.Value
		kept    bool
	}{
		"the same":         {Dynamic(retry("90s")), true},
		"another spelling": {Dynamic(retry("1m30s")), true},
		"another value":    {Dynamic(retry("91s")), false},
		"a mistake":        {Dynamic(retry("soon")), false},
		"an unknown value": {tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue), false},
		"an absent value":  {tftypes.NewValue(tftypes.DynamicPseudoType, nil), false},
	} {
		want := c.planned
		if c.kept {
			want = prior
		}
		got := members(openJob.KeepEqual(openValue(t, prior), openValue(t, c.planned)))["prerequisites"]
		if !got.Equal(want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestElementsThatAreNotObjectsAreSkipped(t *testing.T) {
	t.Parallel()
	_, job := opened(t, Dynamic([]any{"one", object{"name": "two", "require": []any{"three", object{"use": "four"}}, "template_variables": object{"x": "y"}}}))
	if len(job.Prerequisites) != 1 || len(job.Prerequisites[0].Require) != 1 || len(job.Prerequisites[0].TemplateVariables) != 0 {
		t.Errorf("%+v", job.Prerequisites)
	}
}
