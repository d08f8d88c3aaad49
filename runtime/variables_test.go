// SPDX-License-Identifier: MPL-2.0

package runtime

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// twoRoles returns a job with two roles. The declared name of one role differs from
// its name in the Framework.
func twoRoles() *runspec.Spec {
	ports := []runspec.Port{{Label: "ssh", Count: 1}, {Label: "http", Count: 1}, {Label: "tcp", Count: 3}}
	return &runspec.Spec{
		Framework: "f", Job: "alice~mnist", User: "alice", VirtualCluster: "vc1", Role: "taskrole1", PortStart: 20000, PortEnd: 40000,
		Roles: []runspec.Role{
			{Name: "taskrole1", Written: "taskrole_1", Tasks: 2, GPU: 1, CPU: 4, MemoryMB: 8192, ShmMB: 64, MinFailed: 1, MinSucceeded: 2, Ports: ports},
			{Name: "ps", Written: "ps", Tasks: 1, CPU: 2, MemoryMB: 1024, MinFailed: 1, MinSucceeded: 1, Ports: ports[:2]},
		},
		Mounts: []runspec.Mount{{Storage: "nfs-1", Path: "/mnt/nfs"}},
	}
}

func TestEveryVariableOfATaskIsThere(t *testing.T) {
	t.Parallel()
	c := &Config{Spec: twoRoles(), Index: 1, PodUID: "f1020521-9bda-11ea-830b-000d3ab25bb6", Root: "/usr/local/pai", WorkDir: "/work", Self: runspec.Host{IP: "10.0.0.2"}}
	self := selfHost(c)
	hosts := []runspec.Host{
		{Role: "taskrole1", Index: 0, HostIP: "10.0.0.1", Ports: map[string][]int{"ssh": {1}, "http": {2}, "tcp": {3, 4, 5}}},
		self,
		{Role: "ps", Index: 0, HostIP: "10.0.0.3", Ports: map[string][]int{"ssh": {6}, "http": {7}}},
	}
	want := map[string]string{
		"PAI_FRAMEWORK_NAME": "alice~mnist", "PAI_JOB_NAME": "alice~mnist", "PAI_USER_NAME": "alice", "PAI_USERNAME": "alice",
		"PAI_VIRTUAL_CLUSTER": "vc1", "PAI_JOB_VC_NAME": "vc1", "PAI_DEFAULT_FS_URI": "",
		"PAI_TASK_ROLE_COUNT": "2", "PAI_TASK_ROLES_NUM": "2", "PAI_JOB_TASK_ROLE_COUNT": "2",
		"PAI_TASK_ROLE_LIST": "taskrole_1,ps", "PAI_JOB_TASK_ROLE_LIST": "taskrole_1,ps", "PAI_TASKS_NUM": "3", "PAI_JOB_TASK_COUNT": "3",
		"PAI_TASK_ROLE_TASK_COUNT_ps": "1", "PAI_RESOURCE_ps": "0,2,1024,0", "PAI_MIN_FAILED_TASK_COUNT_ps": "1", "PAI_MIN_SUCCEEDED_TASK_COUNT_ps": "1",
		"PAI_CURRENT_TASK_ROLE_NAME": "taskrole_1", "PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX": "1", "PAI_TASK_INDEX": "1",
		"PAI_CURRENT_TASK_ROLE_TASK_COUNT": "2", "PAI_CURRENT_TASK_ROLE_GPU_COUNT": "1", "PAI_CURRENT_TASK_ROLE_CPU_COUNT": "4",
		"PAI_CURRENT_TASK_ROLE_MEM_MB": "8192", "PAI_CURRENT_TASK_ROLE_SHM_MB": "64",
		"PAI_CURRENT_TASK_ROLE_MIN_FAILED_TASK_COUNT": "1", "PAI_CURRENT_TASK_ROLE_MIN_SUCCEEDED_TASK_COUNT": "2",
		"PAI_CURRENT_CONTAINER_IP": "10.0.0.2", "PAI_CONTAINER_HOST_IP": "10.0.0.2",
		"PAI_CURRENT_CONTAINER_PORT": "30643", "PAI_CONTAINER_HOST_PORT": "30643", "PAI_CONTAINER_SSH_PORT": "39080",
		"PAI_CONTAINER_HOST_PORT_LIST": "ssh:39080;http:30643;tcp:29877,22353,29076;", "PAI_CONTAINER_HOST_ssh_PORT_LIST": "39080",
		"PAI_CONTAINER_HOST_http_PORT_LIST": "30643", "PAI_CONTAINER_HOST_tcp_PORT_LIST": "29877,22353,29076",
		"PAI_HOST_IP_ps_0": "10.0.0.3", "PAI_PORT_LIST_ps_0_ssh": "6", "PAI_ps_0_ssh_PORT": "6", "PAI_PORT_LIST_ps_0_http": "7", "PAI_ps_0_http_PORT": "7",
		"PAI_TASK_ROLE_ps_HOST_LIST": "10.0.0.3:7", "PAI_TASK_ROLE_INSTANCES": "taskrole1:0,taskrole1:1,ps:0",
		"PAI_STORAGE_NFS_1": "/mnt/nfs", "PAI_WORK_DIR": "/work", "PAI_HOSTS_FILE": "/usr/local/pai/hosts.json", "PAI_METRICS_FILE": "/usr/local/pai/metrics.jsonl",
	}
	for _, role := range []string{"taskrole1", "taskrole_1"} {
		maps.Copy(want, map[string]string{
			"PAI_TASK_ROLE_TASK_COUNT_" + role: "2", "PAI_RESOURCE_" + role: "1,4,8192,64",
			"PAI_MIN_FAILED_TASK_COUNT_" + role: "1", "PAI_MIN_SUCCEEDED_TASK_COUNT_" + role: "2",
			"PAI_HOST_IP_" + role + "_0": "10.0.0.1", "PAI_HOST_IP_" + role + "_1": "10.0.0.2",
			"PAI_TASK_ROLE_" + role + "_HOST_LIST": "10.0.0.1:2,10.0.0.2:30643",
		})
		for label, ports := range map[string][2]string{"ssh": {"1", "39080"}, "http": {"2", "30643"}, "tcp": {"3,4,5", "29877,22353,29076"}} {
			for i, p := range ports {
				want[fmt.Sprintf("PAI_PORT_LIST_%s_%d_%s", role, i, label)] = p
				want[fmt.Sprintf("PAI_%s_%d_%s_PORT", role, i, label)] = p
			}
		}
	}
	if diff := cmp.Diff(want, taskVariables(c, self, hosts)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// If a task does not request shared memory, PAI_CURRENT_TASK_ROLE_SHM_MB
// contains the default size of the shared memory volume.
func TestTheSharedMemoryIsThatOfTheVolume(t *testing.T) {
	t.Parallel()
	spec := twoRoles()
	for i := range spec.Roles {
		spec.Roles[i].ShmMB = 0
	}
	c := &Config{Spec: spec, PodUID: "u", Self: runspec.Host{IP: "10.0.0.1"}}
	if got := taskVariables(c, selfHost(c), nil)["PAI_CURRENT_TASK_ROLE_SHM_MB"]; got != "512" {
		t.Errorf("PAI_CURRENT_TASK_ROLE_SHM_MB is %q", got)
	}
}

// In OpenPAI's original runtime, missing peers have the address "None".
func TestPeersThatAreNotKnownAreAbsent(t *testing.T) {
	t.Parallel()
	c := &Config{Spec: twoRoles(), Index: 0, PodUID: "u"}
	vars := taskVariables(c, selfHost(c), nil)
	for name, value := range vars {
		if strings.Contains(name, "HOST_IP") || strings.Contains(name, "CONTAINER_IP") || strings.Contains(value, "None") {
			t.Errorf("%s=%q", name, value)
		}
	}
	if got, ok := vars["PAI_TASK_ROLE_ps_HOST_LIST"]; !ok || got != "" {
		t.Errorf("the list of hosts is %q, %v", got, ok)
	}
}

// OpenPAI's original runtime does not find a role whose name contains an
// underscore.
func TestRoleNamesAreFoundInBothSpellings(t *testing.T) {
	t.Parallel()
	c := &Config{Spec: twoRoles(), PodUID: "u", Self: runspec.Host{IP: "10.0.0.1"}}
	vars := taskVariables(c, selfHost(c), []runspec.Host{selfHost(c)})
	for _, name := range []string{"PAI_HOST_IP_taskrole1_0", "PAI_HOST_IP_taskrole_1_0", "PAI_RESOURCE_taskrole1", "PAI_RESOURCE_taskrole_1"} {
		if vars[name] == "" {
			t.Errorf("%s is missing", name)
		}
	}
}

// In OpenPAI's original runtime, the environment of a large gang is too large to start a
// program.
func TestTheEnvironmentOfTenThousandTasksIsSmall(t *testing.T) {
	t.Parallel()
	spec := twoRoles()
	spec.Roles[0].Tasks = 10_000
	c := &Config{Spec: spec, Index: 9_999, PodUID: "u", Self: runspec.Host{IP: "10.0.0.1"}}
	self := selfHost(c)
	var hosts []runspec.Host
	for i := range 10_000 {
		hosts = append(hosts, runspec.Host{Role: "taskrole1", Index: i, HostIP: "10.20.30.40", Ports: self.Ports})
	}
	vars := taskVariables(c, self, hosts)
	size := 0
	for name, value := range vars {
		size += len(name) + len(value) + 2
	}
	if size > 64<<10 || len(vars) > 200 {
		t.Errorf("%d variables, %d bytes", len(vars), size)
	}
	if vars["PAI_HOST_IP_taskrole1_9999"] != "10.0.0.1" || vars["PAI_TASK_ROLE_TASK_COUNT_taskrole_1"] != "10000" {
		t.Errorf("the task's own variables are missing: %v", vars)
	}
}

func TestPortsThatWereChosenAreKept(t *testing.T) {
	t.Parallel()
	c := &Config{Spec: twoRoles(), PodUID: "u", Self: runspec.Host{IP: "127.0.0.1", Ports: map[string][]int{contract.PortHTTP: {8080}}}}
	vars := taskVariables(c, selfHost(c), nil)
	if vars["PAI_CONTAINER_HOST_PORT"] != "8080" || vars["PAI_CONTAINER_SSH_PORT"] != "" {
		t.Errorf("ports %v", vars)
	}
}
