// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"slices"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

func TestTheSSHPortIsComputedFromThePod(t *testing.T) {
	t.Parallel()
	const uid = "2320bc0d-db98-4969-965f-077953c6aee9"
	for name, tt := range map[string]struct {
		annotation string
		want       int
	}{
		"follows from the UID of the Pod":       {`{"schedulePortStart":15000,"schedulePortEnd":40000,"ports":{"ssh":{"count":1}}}`, 26055},
		"is a fixed port of the task":           {`{"schedulePortStart":15000,"schedulePortEnd":40000,"ports":{"ssh":{"count":2,"start":2222}}}`, 2228},
		"has a range but no annotation":         {"", 26055},
		"is the first port without other ports": {`{"schedulePortStart":15000,"schedulePortEnd":40000,"ports":{}}`, 26055},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var role framework.TaskRole
			role.Task.Pod.Metadata.Annotations = map[string]string{contract.AnnotationPorts: tt.annotation}
			if got := sshPort(role, 3, uid); got != tt.want {
				t.Errorf("port %d, want %d", got, tt.want)
			}
		})
	}
}

func TestSSHAcceptsEveryNameOfATask(t *testing.T) {
	t.Parallel()
	uid := "2320bc0d-db98-4969-965f-077953c6aee9"
	status := framework.TaskStatus{Index: 1}
	status.AttemptStatus.PodUID = &uid
	for written, want := range map[string][]string{
		"worker":   {"worker-1"},
		"Worker_x": {"worker-1", "Worker_x-1"},
	} {
		task := (&Cluster{}).sshTask(framework.TaskRole{Name: "worker"}, written, status)
		if !slices.Equal(task.Names, want) || task.Role != written || task.Index != 1 {
			t.Errorf("%s: %+v, want the names %v", written, task, want)
		}
	}
}
