// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
)

// roundTrip converts the jobs to HCL and HCL's JSON syntax, as import does,
// and back to protocol YAML. It returns a description of the differences, or
// "".
func roundTrip(ws *hclspec.Workspace, comments []hclspec.Comment) string {
	for _, job := range ws.Jobs {
		hoisted := syntax.Hoist(job)
		if p := checkTransfer(hoisted); p != "" {
			return p
		}
		options := syntax.WriteOptions{ParameterVariables: true, Comments: comments}
		native := syntax.Write(hoisted, options)
		if again := syntax.Format(native); !bytes.Equal(again, native) {
			return "fmt changes the HCL that import writes"
		}
		files := map[string][]byte{"job.pai.hcl": native, "job.pai.hcl.json": syntax.WriteJSON(hoisted, options)}
		for _, name := range sortedKeys(files) {
			if p := checkRoundTrip(job, name, files[name]); p != "" {
				return p
			}
		}
	}
	return ""
}

// checkTransfer converts the downloads of a job to fetches, as import does. It
// returns a description of any other change to the job, or "".
func checkTransfer(hoisted *hclspec.Workspace) string {
	moved := syntax.Transfer(hoisted, func(*hclspec.Prerequisite) bool { return false })
	read, diags := syntax.Decode(syntax.Input{Files: map[string][]byte{"job.pai.hcl": syntax.Write(moved, syntax.WriteOptions{})}})
	if p := firstError(diags); p != "" {
		return "with fetches, the job cannot be read: " + p
	}
	if d := cmp.Diff(hoisted.Jobs, read.Jobs, sameModel...); d != "" {
		return "with fetches, the job differs (-was +is):\n" + shortened(d)
	}
	for i, p := range hoisted.Prerequisites {
		with, without := *read.Prerequisites[i], *p
		with.Callbacks, with.Fetch, without.Callbacks, without.Fetch = nil, nil, nil, nil
		if d := cmp.Diff(without, with, sameModel...); d != "" {
			return "with fetches, a prerequisite differs (-was +is):\n" + shortened(d)
		}
		if d := cmp.Diff(moved.Prerequisites[i], read.Prerequisites[i], sameModel...); d != "" {
			return "reading the fetches changes them (-was +is):\n" + shortened(d)
		}
	}
	return ""
}

// checkRoundTrip converts src from HCL to YAML and parses the YAML. It returns
// the differences from job, or "".
func checkRoundTrip(job *hclspec.Job, name string, src []byte) string {
	read, diags := syntax.Decode(syntax.Input{Files: map[string][]byte{name: src}})
	if p := firstError(diags); p != "" {
		return name + " cannot be read: " + p
	}
	text, _ := protocol.Write(read.Jobs[0], protocol.WriteOptions{Workspace: read})
	back, diags := protocol.ParseLabel(job.Label, "job.yaml", text)
	if p := firstError(diags); p != "" {
		return "the YAML exported from " + name + " cannot be read: " + p
	}
	if d := cmp.Diff(job, back.Job, sameModel...); d != "" {
		return "exported from " + name + " it differs (-was +is):\n" + shortened(d)
	}
	return ""
}

// shown is the maximum number of lines to print for a difference.
const shown = 20

// shortened returns only the first changed lines.
func shortened(diff string) string {
	var kept []string
	for line := range strings.Lines(diff) {
		if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") {
			kept = append(kept, line)
		}
	}
	if len(kept) > shown {
		kept = append(kept[:shown], fmt.Sprintf("(%d more lines)\n", len(kept)-shown))
	}
	return strings.Join(kept, "")
}

// sameModel compares models. It ignores source positions and the front end. It
// also ignores the values of secrets, because files do not contain them.
var sameModel = cmp.Options{
	cmp.FilterPath(func(p cmp.Path) bool {
		last, ok := p.Last().(cmp.StructField)
		return ok && (last.Name() == "Path" || last.Name() == "Syntax")
	}, cmp.Ignore()),
	cmpopts.IgnoreFields(hclspec.Resources{}, "FixedPorts"), // not in the protocol
	cmp.Comparer(func(a, b hclspec.Secret) bool { return a.Name == b.Name }),
	cmpopts.EquateEmpty(),
}
