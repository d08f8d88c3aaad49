// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestAYAMLCommentHasThePathOfItsValue(t *testing.T) {
	t.Parallel()
	src := []byte(`# file

# job
protocolVersion: 2
name: a
type: job
parameters:
  # lr
  lr: 0.1 # beside {{ lr }}
taskRoles:
  w:
    dockerImage: i
    commands:
      # one
      - |
        # the script's own
        true
      - b # two
      # three
    resourcePerInstance: {gpu: 0, cpu: 1, memoryMB: 1}
  # the last
# end
`)
	file, diags := Parse("x.yaml", src)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	want := []hclspec.Comment{
		{Above: []string{"# file"}},
		{Path: "job.a", Above: []string{"# job"}},
		{Path: `job.a.parameters["lr"]`, Above: []string{"# lr"}},
		{Path: `job.a.parameters["lr"]`, Beside: "# beside {{ lr }}"},
		{Path: `job.a.task_role["w"].commands[0]`, Above: []string{"# one"}},
		{Path: `job.a.task_role["w"].commands[1]`, Beside: "# two"},
		{Path: `job.a.task_role["w"].resources`, Above: []string{"# three"}},
		{Below: []string{"# the last"}},
		{Below: []string{"# end"}},
	}
	if diff := cmp.Diff(want, Comments(file, "x.yaml", src)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
