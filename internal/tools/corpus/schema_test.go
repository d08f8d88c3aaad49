// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/txtar"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
	"github.com/openpai/terraform-provider-openpai/hclspec/schema"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
)

// schemas validates documents and reports errors.
type schemas struct{ hcl, protocol *jsonschema.Schema }

func newSchemas(t *testing.T) *schemas {
	t.Helper()
	compile := func(text []byte) *jsonschema.Schema {
		parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("schema.json", parsed); err != nil {
			t.Fatal(err)
		}
		compiled, err := c.Compile("schema.json")
		if err != nil {
			t.Fatal(err)
		}
		return compiled
	}
	return &schemas{hcl: compile(schema.HCL()), protocol: compile(schema.Protocol())}
}

func accepted(t *testing.T, s *jsonschema.Schema, name string, text []byte) {
	t.Helper()
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
	if err := s.Validate(instance); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// acceptYAML checks a valid job file against the protocol schema, and its job
// in HCL's JSON syntax against the HCL schema.
func (s *schemas) acceptYAML(t *testing.T, name string, src []byte) bool {
	t.Helper()
	file, diags := protocol.Parse(name, src)
	if file == nil || file.Kind != protocol.KindJob || len(diags) > 0 {
		return false // a file that causes a warning may violate the schema
	}
	var value any
	if err := yaml.Unmarshal(src, &value); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	accepted(t, s.protocol, name, text)
	accepted(t, s.hcl, name+" as HCL", syntax.WriteJSON(syntax.Hoist(file.Job), syntax.WriteOptions{ParameterVariables: true}))
	return true
}

// acceptHCL checks a valid workspace with one file against the HCL schema.
func (s *schemas) acceptHCL(t *testing.T, name, dir string, src []byte) bool {
	t.Helper()
	ws, diags := syntax.Decode(syntax.Input{Files: map[string][]byte{name: src}, Dir: dir})
	if diags.HasErrors() || hclspec.Validate(ws).HasErrors() {
		return false
	}
	if strings.HasSuffix(name, ".json") {
		accepted(t, s.hcl, name, src)
	}
	accepted(t, s.hcl, name+" written as JSON", syntax.WriteJSON(ws, syntax.WriteOptions{}))
	return true
}

func TestSchemasAcceptEveryExample(t *testing.T) {
	t.Parallel()
	s := newSchemas(t)
	counts := map[string]int{}
	err := filepath.WalkDir("../../../examples", func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		isYAML, isHCL := strings.HasSuffix(path, ".yaml"), strings.HasSuffix(path, ".pai.hcl") || strings.HasSuffix(path, ".pai.hcl.json")
		if !isYAML && !isHCL {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if isYAML && s.acceptYAML(t, path, src) {
			counts["yaml"]++
		}
		if isHCL && s.acceptHCL(t, path, filepath.Dir(path), src) {
			counts["hcl"]++
		}
		return nil
	})
	if err != nil || counts["yaml"] == 0 || counts["hcl"] == 0 {
		t.Errorf("checked %v, %v", counts, err)
	}
}

func TestSchemasAcceptTheValidTestData(t *testing.T) {
	t.Parallel()
	s := newSchemas(t)
	checked := 0
	for name, src := range examples(t) {
		if s.acceptYAML(t, name, src) {
			checked++
		}
	}
	names, err := filepath.Glob("../../../hclspec/syntax/testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if strings.Contains(f.Name, ".pai.hcl") && s.acceptHCL(t, filepath.Base(name)+"/"+f.Name, t.TempDir(), f.Data) {
				checked++
			}
		}
	}
	if checked < 4 {
		t.Errorf("only %d documents were checked", checked)
	}
}
