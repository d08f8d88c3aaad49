// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"golang.org/x/tools/txtar"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/internal/tools/golden"
)

// The first file of each archive is the input. The name of the input file is
// the default name of the job. model.json is the decoded model without zero
// values. diagnostics.txt contains the diagnostics of the decoder and of the
// model checks. written.yaml is the YAML of the model. With UPDATE=1, the test
// rewrites the expected parts.
func TestEachArchiveIsReadAndWritten(t *testing.T) {
	golden.Archives(t, "testdata/*.txtar", func(t *testing.T, all []txtar.File) []txtar.File {
		return append(all[:1:1], outcome(t, all[0])...)
	})
}

func outcome(t *testing.T, input txtar.File) []txtar.File {
	t.Helper()
	file, diags := Parse(input.Name, input.Data)
	var files []txtar.File
	if file != nil && file.Job != nil {
		diags = append(diags, hclspec.Validate(&hclspec.Workspace{Jobs: []*hclspec.Job{file.Job}, Sources: file.Sources})...)
	}
	if file != nil && !diags.HasErrors() {
		files = append(files, txtar.File{Name: "model.json", Data: dump(t, file)})
	}
	if len(diags) > 0 {
		files = append(files, txtar.File{Name: "diagnostics.txt", Data: diagnosticsText(hclspec.Sort(diags))})
	}
	if file != nil && file.Job != nil && !diags.HasErrors() {
		written, _ := Write(file.Job, WriteOptions{})
		files = append(files, txtar.File{Name: "written.yaml", Data: written})
	}
	return files
}

func diagnosticsText(diags hcl.Diagnostics) []byte {
	var b bytes.Buffer
	for _, d := range diags {
		severity, at := "error", "?"
		if d.Severity == hcl.DiagWarning {
			severity = "warning"
		}
		if d.Subject != nil {
			at = d.Subject.String()
		}
		fmt.Fprintf(&b, "%s: %s %s: %s\n", at, severity, hclspec.Code(d), d.Detail)
	}
	return b.Bytes()
}

// dump omits zero values. It also omits paths, because the expected
// diagnostics cover them.
func dump(t *testing.T, file *File) []byte {
	t.Helper()
	raw, err := json.Marshal(byGoName(reflect.ValueOf(struct {
		Kind  Kind
		Job   *hclspec.Job
		Items []*hclspec.Prerequisite
	}{file.Kind, file.Job, file.Items})))
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	text, err := plainjson.MarshalIndent(prune(tree))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// byGoName converts structs to maps whose keys are the Go names of the fields.
func byGoName(v reflect.Value) any {
	if !v.IsValid() {
		return nil
	}
	switch v.Interface().(type) {
	case json.Marshaler, encoding.TextMarshaler:
		return v.Interface()
	}
	switch v.Kind() {
	case reflect.Pointer:
		return byGoName(v.Elem())
	case reflect.Struct:
		fields := map[string]any{}
		for _, f := range reflect.VisibleFields(v.Type()) {
			if !f.Anonymous {
				fields[f.Name] = byGoName(v.FieldByIndex(f.Index))
			}
		}
		return fields
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = byGoName(v.Index(i))
		}
		return list
	}
	return v.Interface()
}

// prune removes paths and zero values from nested maps. It does not change
// free-form values.
func prune(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		if list, ok := v.([]any); ok {
			for i := range list {
				list[i] = prune(list[i])
			}
		}
		return v
	}
	for key, value := range m {
		switch key {
		case "Parameters", "Extras", "Defaults", "Rest", "With":
		default:
			m[key] = prune(value)
		}
		if key == "Path" || zero(m[key]) {
			delete(m, key)
		}
	}
	return m
}

func zero(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == "" || v == "0s"
	case bool:
		return !v
	case json.Number:
		return v == "0"
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}
