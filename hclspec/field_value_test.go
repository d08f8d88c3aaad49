// SPDX-License-Identifier: MPL-2.0

package hclspec_test

import (
	"reflect"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Field.In finds the same fields as reflect.Value.FieldByName, including
// fields of embedded structs.
func TestTheFieldsOfAJobAreFound(t *testing.T) {
	t.Parallel()
	job := reflect.ValueOf(&hclspec.Job{}).Elem()
	for i := range hclspec.JobBlock.Fields {
		f := &hclspec.JobBlock.Fields[i]
		if f.Go == "" {
			continue // field of a resource, not of the model
		}
		if got, want := f.In(job), job.FieldByName(f.Go); got.Addr().Interface() != want.Addr().Interface() {
			t.Errorf("%s is another field", f.Name)
		}
	}
}

func TestAFieldThatAnObjectLacksCausesAPanic(t *testing.T) {
	t.Parallel()
	defer func() {
		if got := recover(); got != "hclspec: hclspec.Job has no field Missing" {
			t.Errorf("panic %v", got)
		}
	}()
	(&hclspec.Field{Go: "Missing"}).In(reflect.ValueOf(hclspec.Job{}))
}
