package render

import (
	"testing"

	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Row 1: another runtime needed a change of the rest-server. Row 20: it was
// pulled by every task, always.
func TestRow1And20TheRuntimeImageIsChosenAndKeptOnTheNode(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		target        Target
		image, policy string
	}{
		"an image of one's own": {Target{RuntimeImage: "registry.example.org/mine@sha256:ab"}, "registry.example.org/mine@sha256:ab", "IfNotPresent"},
		"another policy":        {Target{RuntimeImage: "example.org/a:1", PullPolicy: "Always"}, "example.org/a:1", "Always"},
	} {
		job := sampleJob()
		job.TaskRoles = []*resolve.TaskRole{serveRole()}
		m, diags := Objects(job, c.target)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		for _, role := range m.Framework.Spec.TaskRoles {
			init := role.Task.Pod.Spec.InitContainers[0]
			if init.Image != c.image || init.ImagePullPolicy != c.policy {
				t.Errorf("%s: %s %s", name, init.Image, init.ImagePullPolicy)
			}
		}
	}
}
