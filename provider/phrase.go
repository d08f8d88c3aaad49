// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"

	commandline "github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

func phrase(f message.Fact) string {
	switch f := f.(type) {
	case planner.Reason:
		return view.Reason(f)
	case message.Hint:
		return f.Finish(hint(f))
	case message.Advice:
		return advice(f)
	case message.Command, message.Option:
		return commandName(f)
	}
	panic(fmt.Sprintf("provider: no phrase for a %T", f))
}

// errorText returns the text of an error, with advice for Terraform users.
func errorText(err error) string { return message.Phrase(phrase).Error(err) }

// For administration, logs and graphs, commandName returns openpai commands,
// because only the CLI supports these tasks.
func commandName(f message.Fact) string {
	switch f {
	case message.CommandInit:
		return "data.openpai_marketplace_item"
	case message.CommandAdopt:
		return "terraform import"
	case message.CommandManifests, message.CommandPriorityClassManifests, message.CommandPushRuntime, message.CommandLogs, message.CommandGraph:
		return commandline.Of(f)
	}
	return f.String()
}
