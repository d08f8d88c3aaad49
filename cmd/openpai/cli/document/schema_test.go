// SPDX-License-Identifier: MPL-2.0

package document

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestTheSchemasAreThoseOfTheTypes checks that cmd/openpai/schema contains the current
// schema for each document type.
func TestTheSchemasAreThoseOfTheTypes(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			published, err := os.ReadFile(filepath.Join("..", "..", "schema", FileName(name)))
			if err != nil {
				t.Fatalf("%v; run make generate", err)
			}
			if diff := cmp.Diff(string(published), string(Schema(name))); diff != "" {
				t.Errorf("the types of the output %q changed, and programs read it. If a field was added, increase the minor number of view.FormatVersion; "+
					"if a field was removed or changed its meaning, increase the major number. Then run make generate (-published +types):\n%s", name, diff)
			}
		})
	}
}

func TestEverySchemaCompiles(t *testing.T) {
	for _, name := range Names() {
		for _, text := range [][]byte{Schema(name), StrictSchema(name)} {
			parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			c := jsonschema.NewCompiler()
			if err := c.AddResource("schema.json", parsed); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Compile("schema.json"); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if id := parsed.(map[string]any)["$id"]; id != schemaBase+FileName(name) {
				t.Errorf("%s: $id %v", name, id)
			}
		}
	}
}
