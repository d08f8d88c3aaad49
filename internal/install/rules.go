// SPDX-License-Identifier: MPL-2.0

package install

import (
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// failureRules returns the exit specification as FrameworkController's
// podFailureSpec. Rules for the status of a Pod or container precede rules for
// exit codes. FrameworkController does not allow rules for its own codes.
//
// The exit codes for signals are transient. A container exits with a signal
// code only if the runtime forwarded the signal or the node killed the
// container.
func failureRules() []object {
	var byPod, byCode []object
	for _, e := range exitspec.Entries() {
		if !configurable(e.Code) {
			continue
		}
		r := object{
			"code": e.Code, "phrase": e.Phrase,
			"type": object{"name": "Failed", "attributes": attributes(e)},
		}
		if patterns := podPatterns(e); len(patterns) > 0 {
			r["podPatterns"] = patterns
			byPod = append(byPod, r)
		} else if e.Code > 0 && e.Code < 256 {
			r["podPatterns"] = []object{{"containers": []object{{
				"messageRegex": anyText, "codeRange": object{"min": e.Code, "max": e.Code},
			}}}}
			byCode = append(byCode, r)
		}
	}
	return append(byPod, byCode...)
}

// anyText matches every string. FrameworkController copies matches to the
// diagnostics. This pattern therefore adds the complete termination message.
const anyText = "(?ms).*"

// configurable reports whether a rule for the code is allowed. FrameworkController
// reserves the codes -999 to 0 and 200 to 219.
func configurable(code int) bool {
	return code < -999 || code > 0 && (code < 200 || code > 219)
}

func attributes(e exitspec.Entry) []string {
	out := []string{}
	for _, a := range framework.Attributes(e.Behavior) {
		out = append(out, string(a))
	}
	return out
}

func podPatterns(e exitspec.Entry) []object {
	var out []object
	for _, p := range e.Patterns {
		switch {
		case p.Pod != nil:
			out = append(out, object{"reasonRegex": p.Pod.Expr, "messageRegex": anyText})
		case p.Container != nil:
			out = append(out, object{"containers": []object{containerPattern(p.Container)}})
		}
	}
	return out
}

func containerPattern(c *exitspec.ContainerPattern) object {
	o := object{"messageRegex": anyText}
	if c.Name != "" {
		o["nameRegex"] = "^" + c.Name + "$"
	}
	if c.Reason != nil {
		o["reasonRegex"] = c.Reason.Expr
	}
	if c.Message != nil {
		o["messageRegex"] = c.Message.Expr
	}
	if c.ExitCode != 0 {
		o["codeRange"] = object{"min": c.ExitCode, "max": c.ExitCode}
	}
	return o
}
