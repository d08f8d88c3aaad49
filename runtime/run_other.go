// SPDX-License-Identifier: MPL-2.0

//go:build !unix

package runtime

import (
	"context"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
)

// Run returns a failure record without running the task. Tasks require process
// groups, which the runtime supports only on Linux and macOS.
func Run(_ context.Context, c Config) exitspec.Record {
	return exitspec.Record{
		Framework: c.Spec.Framework, Role: c.Spec.Role, Index: c.Index, Attempt: c.Attempt,
		Code: 255, UserCode: 1, Phrase: "PAIRuntimeUnknownFailed", Stage: stageInit,
		Reason: "tasks run only on Linux and macOS",
	}
}
