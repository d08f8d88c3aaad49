// SPDX-License-Identifier: MPL-2.0

package phrase

import (
	"fmt"

	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// Of returns the text of a fact.
func Of(f message.Fact) string {
	switch f := f.(type) {
	case planner.Reason:
		return view.Reason(f)
	case message.Hint:
		return f.Finish(hint(f))
	case message.Advice:
		return Advice(f)
	case message.Command:
		return command(f)
	case message.Option:
		return "--" + string(f)
	}
	panic(fmt.Sprintf("phrase: no phrase for a %T", f))
}

// Error returns the text of an error with its hint.
func Error(err error) string { return message.Phrase(Of).Error(err) }

func command(c message.Command) string {
	switch c {
	case message.CommandAdopt:
		return "openpai adopt"
	case message.CommandGraph:
		return "openpai graph --format svg"
	case message.CommandInit:
		return "openpai init"
	case message.CommandLogs:
		return "openpai logs"
	case message.CommandManifests:
		return "openpai cluster manifests"
	case message.CommandPriorityClassManifests:
		return "openpai cluster manifests --priority-classes"
	case message.CommandPushRuntime:
		return "openpai cluster push-runtime REPOSITORY"
	}
	panic("phrase: no text defined for the command " + string(c))
}
