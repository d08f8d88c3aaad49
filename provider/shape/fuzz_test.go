// SPDX-License-Identifier: MPL-2.0

package shape

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// FuzzValues checks that every value of a job's schema type can be decoded.
// Tree must accept a value of any type.
func FuzzValues(f *testing.F) {
	f.Add([]byte(`{"name":"a","task_role":{"w":{"instances":1e3,"commands":["x",null],"image":"i"}},"parameters":{"a":[1,"b",{}]}}`))
	f.Add([]byte(`{"task_role":{"w":null},"environment":{"A":null},"extras":[[],{}]}`))
	f.Add([]byte(`[1e999999,-0,{"":null}]`))
	job := New(hclspec.JobBlock, false)
	f.Fuzz(func(t *testing.T, text []byte) {
		tree, err := ParseJSON(text)
		if err != nil {
			return
		}
		if _, known := Tree(Dynamic(tree)); !known {
			t.Error("a value without unknowns is not known")
		}
		v, err := Value(tree, job.Type())
		if err != nil || v.IsNull() {
			return
		}
		NewDecoder().Decode(job, v, &hclspec.Job{}, "job.a", path.Empty())
	})
}
