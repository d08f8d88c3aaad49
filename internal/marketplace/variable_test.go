// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
)

const jobWithVariables = `
variable "size" { default = 3 }
prerequisite "dockerimage" "image" { uri = "busybox" }
job "train" {
  name    = "train-${var.size}"
  version = "1.0"
  extras  = { "com.openpai.marketplace" = { title = "A training" } }
  task_role "w" {
    image    = prerequisite.dockerimage.image
    commands = ["echo ${var.size} \"quoted\""]
    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 64
    }
  }
}
`

func jobIn(t *testing.T, name, src string) *Item {
	t.Helper()
	items, diags := ParseFile(name, []byte(src))
	if diags.HasErrors() {
		t.Fatalf("%s: %s", name, diags)
	}
	for _, i := range items {
		if i.Job != nil {
			return i
		}
	}
	t.Fatalf("%s has no job", name)
	return nil
}

func TestAJobWithVariablesIsTheSameItemEverywhere(t *testing.T) {
	t.Parallel()
	original := jobIn(t, "market/train.pai.hcl", jobWithVariables)
	carrier := writeCarrier(original)
	for name, other := range map[string]*Item{
		"under another file name":       jobIn(t, "train-1.0.pai.hcl", jobWithVariables),
		"in its locked content":         jobIn(t, "marketplace://job/train?from=team", string(original.Content)),
		"in the job that carries it":    jobIn(t, "17.yaml", string(carrier)),
		"in a row of a server":          jobIn(t, "17.yaml", string(original.rowText())),
		"in the content of its carrier": jobIn(t, "x.yaml", string(jobIn(t, "17.yaml", string(carrier)).Content)),
	} {
		if diff := cmp.Diff(original.Hash(), other.Hash()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if other.Title != "A training" || len(other.Variables) != 1 || string(other.Text) != jobWithVariables {
			t.Errorf("%s: title %q, variables %v, file\n%s", name, other.Title, other.Variables, other.Text)
		}
	}
}

func TestValuesReplaceTheVariablesOfAJobItem(t *testing.T) {
	t.Parallel()
	item := jobIn(t, "train.pai.hcl", jobWithVariables)
	var rest []string
	changed, diags := item.WithValues("train.pai.hcl", []syntax.Value{
		{Name: "size", Origin: syntax.OriginOption, Text: "4"},
		{Name: "other", Origin: syntax.OriginOption, Text: "5"},
	}, func(v syntax.Value) { rest = append(rest, v.Name) })
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	if diff := cmp.Diff([]string{"other"}, rest); diff != "" {
		t.Errorf("values without a variable (-want +got):\n%s", diff)
	}
	if changed.Job.Name != "train-4" || !strings.Contains(string(changed.Protocol), `echo 4 "quoted"`) || strings.Contains(string(changed.Protocol), "variable") {
		t.Errorf("the job is %s\n%s", changed.Job.Name, changed.Protocol)
	}
	if item.Job.Name != "train-3" {
		t.Error("the original item has changed")
	}
}

func TestUnsuitableVariablesOfJobItemsAreErrors(t *testing.T) {
	t.Parallel()
	sensitive := strings.Replace(jobWithVariables, "default = 3", "default = 3\n sensitive = true\n", 1)
	sensitive = strings.NewReplacer("{ default", "{\n default", `name    = "train-${var.size}"`, "").Replace(sensitive)
	if _, diags := ParseFile("a.pai.hcl", []byte(sensitive)); !strings.Contains(diags.Error(), `must not contain the sensitive variable "size".`) {
		t.Errorf("a sensitive variable: %v", diags)
	}
	several := strings.Replace(strings.Replace(jobWithVariables, `job "train" {`, "job \"train\" {\n  for_each = toset([var.size])", 1), "default = 3", `default = "3"`, 1)
	item := jobIn(t, "a.pai.hcl", several)
	if _, diags := item.WithValues("a.pai.hcl", []syntax.Value{{Name: "size", Text: "4"}}, nil); !strings.Contains(diags.Error(), `this file does not declare job.train["3"].`) {
		t.Errorf("a value for which the file does not declare the job: %v", diags)
	}
}
