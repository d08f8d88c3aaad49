// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestFixedPortsOfTheOlderFormatAreRead(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		portList string
		want     map[string]int
	}{
		"a number":               {"[{label: http, beginAt: 8080, portNumber: 2}]", map[string]int{"http": 8080}},
		"0 requests a free port": {"[{label: http, beginAt: 0}]", nil},
		"a reference":            {"[{label: http.api, beginAt: $$first$$}]", map[string]int{"http_api": 9090}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, diags := Parse("job.yaml", legacyJobWithPorts(tt.portList))
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			if diff := cmp.Diff(tt.want, file.Job.TaskRoles[0].Resources.FixedPorts); diff != "" {
				t.Errorf("fixed ports (-want +got):\n%s", diff)
			}
		})
	}
}

func TestExportWarnsOfFixedPorts(t *testing.T) {
	t.Parallel()
	file, diags := Parse("job.yaml", legacyJobWithPorts("[{label: http, beginAt: 8080}]"))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	written, diags := Write(file.Job, WriteOptions{})
	if len(diags) != 1 || hclspec.Code(diags[0]) != NotInProtocol.Code || !strings.Contains(diags[0].Detail, "fixed_ports") {
		t.Errorf("diagnostics %v of\n%s", diags, written)
	}
}

func legacyJobWithPorts(portList string) []byte {
	return []byte(`protocol_version: v2
name: a
type: job
retryCount: 0
parameters: {first: 9090}
tasks:
  - role: w
    dockerimage: image
    resource: {instances: 1, resourcePerInstance: {cpu: 1, gpu: 0, memoryMB: 64}, portList: ` + portList + `}
    command: ["true"]
prerequisites:
  - {name: image, type: dockerimage, uri: busybox}
`)
}
