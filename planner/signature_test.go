// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestAPathLosesTheKeyOfItsPrerequisiteInstance(t *testing.T) {
	t.Parallel()
	for path, want := range map[hclspec.Path]hclspec.Path{
		`task_role["worker"].commands[0]`:                                                `task_role["worker"].commands[0]`,
		`task_role["worker"].prerequisites["prerequisite.script.env"].plugin`:            `task_role["worker"].prerequisites["prerequisite.script.env"].plugin`,
		`task_role["worker"].prerequisites["prerequisite.script.env[\"a\"]"].plugin`:     `task_role["worker"].prerequisites["prerequisite.script.env"].plugin`,
		`prerequisites["prerequisite.script.env[\"a\"]{x=\"1\"}"].plugin`:                `prerequisites["prerequisite.script.env{x=\"1\"}"].plugin`,
		`task_role["worker"].prerequisites["prerequisite.script[\"3d\"]"].callback`:      `task_role["worker"].prerequisites["prerequisite.script[\"3d\"]"].callback`,
		`task_role["worker"].prerequisites["prerequisite.script[\"3d\"][\"a\"]"].plugin`: `task_role["worker"].prerequisites["prerequisite.script[\"3d\"]"].plugin`,
	} {
		if got := WithoutInstance(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}
