// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// Phrase returns the wording of a fact for users of the command line.
func Phrase(f message.Fact) string {
	switch f := f.(type) {
	case planner.Reason:
		return Reason(f)
	case message.Hint:
		return f.Finish(hint(f))
	case message.Advice:
		return Advice(f)
	case message.Command:
		return command(f)
	case message.Option:
		return "--" + string(f)
	}
	panic(fmt.Sprintf("planner/view: no words for a %T", f))
}

// Jobs formats addresses as one list; see [hclspec.FoldAddresses].
func Jobs(addresses []hclspec.Address) string {
	return clean(strings.Join(hclspec.FoldAddresses(addresses), ", "))
}

// Error returns the text of an error, with advice for users of the command
// line.
func Error(err error) string { return message.Phrase(Phrase).Error(err) }

func command(c message.Command) string {
	switch c {
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
	panic("planner/view: no words for the command " + string(c))
}
