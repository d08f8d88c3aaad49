// SPDX-License-Identifier: MPL-2.0

package shape

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// sample returns a value that differs from the attribute's default.
func (a *Attribute) sample() any {
	f := a.Field
	switch a.Form {
	case Bool:
		return f.Default != true
	case Integer:
		return hclspec.Number("7")
	case StringList:
		return []any{sampleString(f)}
	case StringMap:
		return map[string]any{"KEY": "value"}
	case IntegerMap:
		return map[string]any{"key": hclspec.Number("2")}
	case DynamicValue:
		if f.Kind == hclspec.AnyList {
			return []any{map[string]any{"a": "b"}}
		}
		return map[string]any{"a": hclspec.Number("1.5"), "b": []any{"x", true}}
	case JSON:
		if f.Kind == hclspec.AnyList {
			return `[{"a":"b"}]`
		}
		return `{"a":1.5,"b":["x",true]}`
	case Single:
		return a.Object.sample()
	case List:
		return []any{a.Object.sample()}
	case Map:
		return map[string]any{"key": a.Object.sample()}
	}
	return sampleString(f)
}

func sampleString(f *hclspec.Field) string {
	switch {
	case f.Kind == hclspec.Dur, f.Format == hclspec.FormatDuration:
		return "1h30m"
	case len(f.Values) > 0:
		for _, v := range f.Values {
			if v != f.Default {
				return v
			}
		}
	case strings.Contains(f.Pattern, "64"):
		return strings.Repeat("a", 64)
	}
	return "text"
}

func (o *Object) sample() map[string]any {
	tree := map[string]any{}
	for _, a := range o.Attributes {
		tree[a.Name] = a.sample()
	}
	return tree
}

// objects contains every object that resources use.
var objects = map[string]*Object{
	"job":          New(hclspec.JobBlock, false, "secret.value"),
	"open job":     New(hclspec.JobBlock, false, "secret.value").Open(nil, "prerequisites", "reference_prerequisites"),
	"prerequisite": New(hclspec.PrerequisiteBlock, false),
	"storage":      New(hclspec.StorageBlock, false),
}

func TestEveryFieldSurvivesEncodingAndDecoding(t *testing.T) {
	t.Parallel()
	for name, o := range objects {
		tree := o.sample()
		v, err := Value(tree, o.Type())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		model := reflect.New(o.Block.Type)
		d := NewDecoder()
		d.Decode(o, v, model.Interface(), hclspec.Path(name), path.Empty())
		if len(d.Diags) > 0 || len(d.Unknown) > 0 {
			t.Errorf("%s: %v %v", name, d.Diags, d.Unknown)
		}
		if diff := cmp.Diff(tree, o.Encode(model.Interface())); diff != "" {
			t.Errorf("%s (-written +read back)\n%s", name, diff)
		}
		back, known := Tree(v)
		if diff := cmp.Diff(any(tree), back); diff != "" || !known {
			t.Errorf("%s as a tree (-written +read back)\n%s", name, diff)
		}
	}
}

func TestEveryFieldOfTheTableHasAnAttribute(t *testing.T) {
	t.Parallel()
	var visit func(o *Object, where string)
	visit = func(o *Object, where string) {
		fields := map[string]bool{}
		for _, a := range o.Attributes {
			fields[a.Field.Name] = true
			if a.Object != nil {
				visit(a.Object, where+"."+a.Name)
			}
		}
		for _, f := range o.Block.Fields {
			isKey := len(o.Block.Labels) == 1 && f.Go == o.Block.Labels[0]
			if !fields[f.Name] && !isKey && !strings.HasSuffix(where+"."+f.Name, "job.secrets.value") {
				t.Errorf("%s has no attribute %s", where, f.Name)
			}
		}
	}
	for name, o := range objects {
		visit(o, name)
	}
}

func TestAnUnknownValueIsCollectedAndOmitted(t *testing.T) {
	t.Parallel()
	o := objects["job"]
	v, err := Value(map[string]any{"description": "text", "task_roles": map[string]any{"w": map[string]any{"commands": []any{"a", "b"}}}}, o.Type())
	if err != nil {
		t.Fatal(err)
	}
	v, err = tftypes.Transform(v, func(p *tftypes.AttributePath, part tftypes.Value) (tftypes.Value, error) {
		if strings.HasSuffix(p.String(), "ElementKeyInt(1)") || strings.HasSuffix(p.String(), `AttributeName("description")`) {
			return tftypes.NewValue(part.Type(), tftypes.UnknownValue), nil
		}
		return part, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	job := &hclspec.Job{}
	d := NewDecoder()
	d.Decode(o, v, job, "job.j", path.Empty())
	want := []hclspec.Path{"job.j.description", `job.j.task_role["w"].commands[1]`}
	if diff := cmp.Diff(want, d.Unknown); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", ""}, job.TaskRoles[0].Commands); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if job.StopGrace == 0 || job.TaskRoles[0].Instances != 1 {
		t.Error("the defaults are not set")
	}
}

func TestDiagnosticsLeadToTheAttribute(t *testing.T) {
	t.Parallel()
	o := objects["job"]
	v, err := Value(map[string]any{"rerun": "sometimes", "task_roles": map[string]any{"w": map[string]any{"max_run_time": "soon"}}}, o.Type())
	if err != nil {
		t.Fatal(err)
	}
	d := NewDecoder()
	d.Decode(o, v, &hclspec.Job{}, "job.j", path.Empty())
	var got []string
	for _, f := range d.Diags {
		at, ok := d.Places.Attribute(f)
		if !ok {
			t.Errorf("no place: %s", f.Detail)
		}
		got = append(got, at.String())
	}
	if diff := cmp.Diff([]string{`task_roles["w"].max_run_time`, "rerun"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// In every syntax, the model path of a plugin contains the plugin's name.
func TestElementsOfListsHaveThePathsOfTheLanguage(t *testing.T) {
	t.Parallel()
	object := New(hclspec.JobBlock, false)
	v, err := Value(map[string]any{"plugins": []any{
		map[string]any{"plugin": "ssh"}, map[string]any{"plugin": "cmd"}, map[string]any{"plugin": "ssh"},
	}}, object.Type())
	if err != nil {
		t.Fatal(err)
	}
	d := NewDecoder()
	d.Decode(object, v, &hclspec.Job{}, "job.a", path.Empty())
	for at, want := range map[hclspec.Path]string{
		`job.a.plugin["ssh"]`:    "plugins[0]",
		`job.a.plugin["cmd"]`:    "plugins[1]",
		`job.a.plugin["ssh"][1]`: "plugins[2]",
	} {
		if got := d.Places.Sources[at].Filename; got != want {
			t.Errorf("%s: %q, want %q", at, got, want)
		}
	}
}

func TestAStorageThatIsNotKnownIsNone(t *testing.T) {
	t.Parallel()
	object := New(hclspec.JobBlock, false)
	use := object.Type().AttributeTypes["storage"].(tftypes.List).ElementType.(tftypes.Object)
	values := map[string]tftypes.Value{}
	for name, typ := range use.AttributeTypes {
		values[name] = tftypes.NewValue(typ, nil)
	}
	values["use"] = tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	v, err := Value(map[string]any{}, object.Type())
	if err != nil {
		t.Fatal(err)
	}
	job := members(v)
	job["storage"] = tftypes.NewValue(tftypes.List{ElementType: use}, []tftypes.Value{tftypes.NewValue(use, values), tftypes.NewValue(use, tftypes.UnknownValue)})
	var decoded hclspec.Job
	d := NewDecoder()
	d.Decode(object, tftypes.NewValue(object.Type(), job), &decoded, "job.a", path.Empty())
	if len(decoded.Storage) != 0 || len(d.Unknown) != 2 {
		t.Errorf("storages %v, unknown %v", decoded.Storage, d.Unknown)
	}
}

func TestAnotherSpellingIsKept(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		object        *Object
		before, after map[string]any
		kept          bool
	}{
		"a duration":        {objects["job"], map[string]any{"max_run_time": "90m"}, map[string]any{"max_run_time": "1h30m"}, true},
		"another duration":  {objects["job"], map[string]any{"max_run_time": "90m"}, map[string]any{"max_run_time": "1h"}, false},
		"a quantity":        {objects["storage"], map[string]any{"size": "1Ti"}, map[string]any{"size": "1024Gi"}, true},
		"an image":          {objects["job"], roles("image", "ubuntu:22.04"), roles("image", "docker.io/library/ubuntu:22.04"), true},
		"a bare name":       {objects["job"], roles("image", "ubuntu"), roles("image", "docker.io/library/ubuntu"), false},
		"JSON":              {objects["job"], plugins(`{"a":1,"b":2}`), plugins(`{ "b": 2, "a": 1 }`), true},
		"a remark, changed": {objects["job"], map[string]any{"description": "a"}, map[string]any{"description": "b"}, false},
	} {
		before, err := Value(c.before, c.object.Type())
		if err != nil {
			t.Fatal(err)
		}
		after, err := Value(c.after, c.object.Type())
		if err != nil {
			t.Fatal(err)
		}
		untouched := after.Copy()
		if kept := c.object.KeepEqual(before, after).Equal(before); kept != c.kept {
			t.Errorf("%s: kept %t, want %t", name, kept, c.kept)
		}
		if !after.Equal(untouched) {
			t.Errorf("%s: the planned value itself was changed", name)
		}
	}
}

func roles(attribute, value string) map[string]any {
	return map[string]any{"task_roles": map[string]any{"w": map[string]any{attribute: value}}}
}

func plugins(parameters string) map[string]any {
	return map[string]any{"plugins": []any{map[string]any{"plugin": "ssh", "parameters": parameters}}}
}
