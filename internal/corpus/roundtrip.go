package main

import (
	"bytes"
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/internal/protocol"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// roundTrip writes the jobs of a workspace as HCL, native and JSON, and back as
// protocol YAML, and says what changed on the way, or "".
func roundTrip(ws *hclspec.Workspace) string {
	for _, job := range ws.Jobs {
		hoisted := syntax.Hoist(job)
		native := syntax.Write(hoisted, syntax.WriteOptions{})
		if again := syntax.Format(native); !bytes.Equal(again, native) {
			return "fmt changes the HCL that import writes"
		}
		files := map[string][]byte{
			"job.pai.hcl":      native,
			"job.pai.hcl.json": syntax.WriteJSON(hoisted, syntax.WriteOptions{}),
		}
		for _, name := range sortedKeys(files) {
			if p := survives(ws, job, name, files[name]); p != "" {
				return p
			}
		}
	}
	return ""
}

// survives reads a job from HCL and exports it again, and compares both with
// what it was.
func survives(ws *hclspec.Workspace, job *hclspec.Job, name string, src []byte) string {
	read, findings := syntax.Decode(syntax.Input{Files: map[string][]byte{name: src}})
	if p := firstError(findings); p != "" {
		return name + " cannot be read: " + p
	}
	if p := sameMeaning(ws, job, read, read.Jobs[0]); p != "" {
		return "as " + name + " it " + p
	}
	text, _ := protocol.Write(read.Jobs[0], protocol.WriteOptions{Workspace: read})
	back, findings := protocol.Parse("job.yaml", text)
	if p := firstError(findings); p != "" {
		return "the YAML exported from " + name + " cannot be read: " + p
	}
	if p := sameMeaning(ws, job, &hclspec.Workspace{Jobs: []*hclspec.Job{back.Job}}, back.Job); p != "" {
		return "exported from " + name + " it " + p
	}
	return ""
}

// sameMeaning compares what two declarations resolve to, field by field.
func sameMeaning(wsA *hclspec.Workspace, a *hclspec.Job, wsB *hclspec.Workspace, b *hclspec.Job) string {
	fieldsA, findings := resolvedFields(wsA, a)
	if p := firstError(findings); p != "" {
		return "cannot be resolved: " + p
	}
	fieldsB, findings := resolvedFields(wsB, b)
	if p := firstError(findings); p != "" {
		return "cannot be resolved: " + p
	}
	for _, path := range sortedKeys(merged(fieldsA, fieldsB)) {
		if fieldsA[path] != fieldsB[path] {
			return fmt.Sprintf("differs at %s", path)
		}
	}
	return ""
}

func resolvedFields(ws *hclspec.Workspace, job *hclspec.Job) (map[string]string, hcl.Diagnostics) {
	resolved, findings := resolve.One(resolve.Input{Workspace: ws, User: "corpus"}, job)
	if findings.HasErrors() {
		return nil, findings
	}
	_, fields := planner.Hashes(resolved)
	return fields, findings
}

func merged(a, b map[string]string) map[string]bool {
	all := map[string]bool{}
	for k := range a {
		all[k] = true
	}
	for k := range b {
		all[k] = true
	}
	return all
}
