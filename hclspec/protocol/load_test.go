// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"fmt"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Decoding and checking tens of thousands of declarations, valid or not,
// takes linear time. If a step took quadratic time, this test would run for
// minutes.
func TestManyOfEverythingIsReadInTime(t *testing.T) {
	t.Parallel()
	const n = 10_000
	repeat := func(format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	role := "{dockerImage: image, resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}, commands: [echo]}"
	head := "protocolVersion: 2\nname: j\ntype: job\nprerequisites:\n  - {type: dockerimage, name: image, uri: busybox}\n"
	tests := map[string]string{
		"prerequisites":       head + repeat("  - {type: script, name: p%d, version: 1.0}\n") + "taskRoles:\n  w: " + role + "\n",
		"equal prerequisites": head + strings.Repeat("  - {type: script, name: p}\n", n) + "taskRoles:\n  w: " + role + "\n",
		"task roles":          head + "taskRoles:\n" + repeat("  w%d: "+role+"\n"),
		"unknown references":  head + repeat("  - {type: script, name: p%d}\n") + "taskRoles:\n  w:\n    prerequisites: [" + repeat("q%d,") + "]\n    dockerImage: image\n    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n    commands: [echo]\n",
		"unknown deployments": head + "taskRoles:\n" + repeat("  w%d: "+role+"\n") + "deployments:\n  - name: d\n    taskRoles:\n" + repeat("      v%d: {preCommands: [echo]}\n"),
		"unknown keys":        head + "taskRoles:\n  w: " + role + "\n" + repeat("key%d: 1\n"),
		"parameters":          head + "taskRoles:\n  w: " + role + "\nparameters:\n" + repeat("  p%d: no\n"),
		"secrets":             head + "taskRoles:\n  w: " + role + "\nsecrets:\n" + repeat("  p%d: a\n"),
		"references of the older format": "name: a\ntype: job\nprerequisites: [{name: i, type: dockerimage, uri: b}]\nparameters:\n" + repeat("  p%d: 1\n") +
			"tasks:\n  - role: w\n    resource: {resourcePerInstance: {cpu: 1}}\n    command:\n" + repeat("      - echo $$p%d$$\n"),
		"task roles of the older format": "name: a\ntype: job\nprerequisites: [{name: i, type: dockerimage, uri: b}]\nparameters:\n" + repeat("  p%d: 1\n") +
			"tasks:\n" + repeat("  - {role: w%d, resource: {resourcePerInstance: {cpu: 1}}, command: [$$p1$$]}\n"),
	}
	for name, src := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, diags := Parse("job.yaml", []byte(src))
			if file == nil {
				t.Fatal(diags)
			}
			_ = hclspec.Validate(&hclspec.Workspace{Jobs: []*hclspec.Job{file.Job}, Sources: file.Sources})
		})
	}
}
