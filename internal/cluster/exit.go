package cluster

import (
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// EngineExit returns the exit record of a task attempt as far as the engine
// knows it. It is the whole truth about an attempt that the engine ended: how
// the commands took the signal says nothing about the job.
func EngineExit(done *framework.CompletionStatus) *exitspec.Record {
	r := &exitspec.Record{
		Code: int(done.Code), UserCode: int(done.Code), Phrase: done.Phrase,
		Reason: done.Diagnostics, Behavior: behavior(done.Type), Stopped: Stopped(done),
	}
	if done.Code == framework.CodeDeleteTaskRequested {
		r.Reason = "removed by rescale"
	}
	return r
}

func behavior(t framework.CompletionType) string {
	if t.Name != framework.Failed {
		return ""
	}
	for _, a := range t.Attributes {
		if a == framework.Transient || a == framework.Permanent {
			return strings.ToUpper(string(a))
		}
	}
	return "UNKNOWN"
}
