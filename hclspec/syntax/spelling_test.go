// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestNumbersKeepTheirSpelling(t *testing.T) {
	t.Parallel()
	src := `
variable "default" { default = 0.10 }
variable "file" {}
variable "option" { type = number }
variable "text" { type = string }
locals {
  own   = 1.0
  again = var.default
  sum   = 1.0 + 1
}
job "j" {
  parameters = {
    default = var.default, wrapped = "${var.default}", file = var.file, option = var.option, text = var.text
    own     = local.own, again = local.again, sum = local.sum, inside = "x${local.own}", zeros = 007, list = [1e3, local.own]
  }
}
`
	values, diags := ParseValues("v.paivars.hcl", []byte("file = 2.50\n"))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	values = append(values, Value{Name: "option", Origin: OriginOption, Text: "3.0"}, Value{Name: "text", Origin: OriginOption, Text: "4.0"})
	ws, _ := Decode(Input{Files: map[string][]byte{"a.pai.hcl": []byte(src)}, Values: values})
	want := map[string]any{
		"default": hclspec.Number("0.10"), "wrapped": hclspec.Number("0.10"), "file": hclspec.Number("2.50"), "option": hclspec.Number("3.0"), "text": "4.0",
		"own": hclspec.Number("1.0"), "again": hclspec.Number("0.10"), "sum": hclspec.Number("2"), "inside": "x1", "zeros": hclspec.Number("7"),
		"list": []any{hclspec.Number("1e3"), hclspec.Number("1.0")},
	}
	if diff := cmp.Diff(want, ws.Jobs[0].Parameters); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
