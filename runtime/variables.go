// SPDX-License-Identifier: MPL-2.0

package runtime

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// If a job exceeds one of these limits, the environment omits the variables to
// which the limit applies. With thousands of exported variables, shells are slow;
// with about ten thousand, the system cannot start programs. The file to which
// PAI_HOSTS_FILE refers always contains the table of all tasks.
const (
	// maxExportedTasks is the job size, in tasks, up to which the environment
	// contains separate variables for each task.
	maxExportedTasks = 256
	// maxExportedList is the maximum size, in bytes, of an exported variable
	// that lists all tasks of a role or job.
	maxExportedList = 32 << 10
)

// Files, relative to the root: the table of all tasks (JSON), the runtime's
// variables as a shell script, and the metrics that the task reports (JSON
// lines).
const (
	hostsFile   = "hosts.json"
	envFile     = "runtime.d/runtime_env.sh"
	metricsFile = "metrics.jsonl"
)

// workDirVariable is the only variable whose value is unknown during init.
const workDirVariable = "PAI_WORK_DIR"

// variables builds the variables that describe a task, its job and its peers.
// Sources: microsoft/openpai-runtime: src/init.d/framework_parser.py;
// microsoft/pai: src/rest-server/src/models/v2/job/runtime-env.js.
type variables struct {
	spec  *runspec.Spec
	role  runspec.Role
	self  runspec.Host
	hosts []runspec.Host
	all   map[string]string
}

// taskVariables returns the variables of a task. hosts must contain the task
// itself, but other tasks may be missing.
func taskVariables(c *Config, self runspec.Host, hosts []runspec.Host) map[string]string {
	v := &variables{spec: c.Spec, self: self, hosts: hosts, all: map[string]string{}}
	for _, r := range c.Spec.Roles {
		if r.Name == c.Spec.Role {
			v.role = r
		}
	}
	v.job()
	v.roles()
	v.current()
	v.peers()
	v.storages()
	v.all[workDirVariable] = c.WorkDir
	v.all["PAI_HOSTS_FILE"] = filepath.Join(c.Root, hostsFile)
	v.all["PAI_METRICS_FILE"] = filepath.Join(c.Root, metricsFile)
	return v.all
}

func (v *variables) set(value string, names ...string) {
	for _, n := range names {
		v.all[n] = value
	}
}

func (v *variables) job() {
	total := 0
	var written []string
	for _, r := range v.spec.Roles {
		total += r.Tasks
		written = append(written, r.Written)
	}
	v.set(v.spec.Job, "PAI_FRAMEWORK_NAME", "PAI_JOB_NAME")
	v.set(v.spec.User, "PAI_USER_NAME", "PAI_USERNAME")
	v.set(v.spec.VirtualCluster, "PAI_VIRTUAL_CLUSTER", "PAI_JOB_VC_NAME")
	v.set("", "PAI_DEFAULT_FS_URI")
	v.set(strconv.Itoa(len(v.spec.Roles)), "PAI_TASK_ROLE_COUNT", "PAI_TASK_ROLES_NUM", "PAI_JOB_TASK_ROLE_COUNT")
	v.set(strings.Join(written, ","), "PAI_TASK_ROLE_LIST", "PAI_JOB_TASK_ROLE_LIST")
	v.set(strconv.Itoa(total), "PAI_TASKS_NUM", "PAI_JOB_TASK_COUNT")
}

// spellings returns the spellings of a role's name that occur in variable
// names.
func spellings(r runspec.Role) []string {
	if r.Written == r.Name || r.Written == "" {
		return []string{r.Name}
	}
	return []string{r.Name, r.Written}
}

func (v *variables) roles() {
	for _, r := range v.spec.Roles {
		for _, name := range spellings(r) {
			v.set(strconv.Itoa(r.Tasks), "PAI_TASK_ROLE_TASK_COUNT_"+name)
			v.set(fmt.Sprintf("%d,%d,%d,%d", r.GPU, r.CPU, r.MemoryMB, r.ShmMB), "PAI_RESOURCE_"+name)
			v.set(strconv.Itoa(r.MinFailed), "PAI_MIN_FAILED_TASK_COUNT_"+name)
			v.set(strconv.Itoa(r.MinSucceeded), "PAI_MIN_SUCCEEDED_TASK_COUNT_"+name)
		}
	}
}

// current adds the variables that describe this task. Some names are from the
// first version of the specification.
func (v *variables) current() {
	r := v.role
	shm := r.ShmMB
	if shm <= 0 {
		shm = contract.DefaultShmMB
	}
	written := r.Written
	written = cmp.Or(written, r.Name)
	for name, n := range map[string]int{
		"TASK_COUNT": r.Tasks, "GPU_COUNT": r.GPU, "CPU_COUNT": r.CPU, "MEM_MB": r.MemoryMB, "SHM_MB": shm,
		"MIN_FAILED_TASK_COUNT": r.MinFailed, "MIN_SUCCEEDED_TASK_COUNT": r.MinSucceeded,
	} {
		v.set(strconv.Itoa(n), "PAI_CURRENT_TASK_ROLE_"+name)
	}
	v.set(written, "PAI_CURRENT_TASK_ROLE_NAME")
	v.set(strconv.Itoa(v.self.Index), "PAI_CURRENT_TASK_ROLE_CURRENT_TASK_INDEX", "PAI_TASK_INDEX")
	if v.self.HostIP != "" {
		v.set(v.self.HostIP, "PAI_CURRENT_CONTAINER_IP", "PAI_CONTAINER_HOST_IP")
	}
	v.currentPorts()
	v.task(v.self, r)
}

func (v *variables) currentPorts() {
	if p := v.self.Ports[contract.PortHTTP]; len(p) > 0 {
		v.set(strconv.Itoa(p[0]), "PAI_CURRENT_CONTAINER_PORT", "PAI_CONTAINER_HOST_PORT")
	}
	if p := v.self.Ports[contract.PortSSH]; len(p) > 0 {
		v.set(strconv.Itoa(p[0]), "PAI_CONTAINER_SSH_PORT")
	}
	var list strings.Builder
	for _, label := range portLabels(v.role, v.self) {
		ports := joinPorts(v.self.Ports[label])
		v.set(ports, "PAI_CONTAINER_HOST_"+label+"_PORT_LIST")
		list.WriteString(label + ":" + ports + ";")
	}
	v.set(list.String(), "PAI_CONTAINER_HOST_PORT_LIST")
}

// portLabels returns the role's labels in declaration order, then the other
// labels, sorted by name.
func portLabels(r runspec.Role, h runspec.Host) []string {
	var labels []string
	for _, p := range r.Ports {
		if _, ok := h.Ports[p.Label]; ok {
			labels = append(labels, p.Label)
		}
	}
	for _, label := range slices.Sorted(maps.Keys(h.Ports)) {
		if !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	return labels
}

func joinPorts(ports []int) string {
	text := make([]string, len(ports))
	for i, p := range ports {
		text[i] = strconv.Itoa(p)
	}
	return strings.Join(text, ",")
}

// task adds the variables for the task h: its ports and the IP address of its
// host.
func (v *variables) task(h runspec.Host, r runspec.Role) {
	for _, name := range spellings(r) {
		id := name + "_" + strconv.Itoa(h.Index)
		for label, ports := range h.Ports {
			v.set(joinPorts(ports), "PAI_PORT_LIST_"+id+"_"+label, "PAI_"+id+"_"+label+"_PORT")
		}
		if h.HostIP != "" {
			v.set(h.HostIP, "PAI_HOST_IP_"+id)
		}
	}
}

// peers adds the environment variables that describe all tasks. The host
// lists omit tasks without a host IP or an HTTP port.
func (v *variables) peers() {
	byRole := map[string][]runspec.Host{}
	total := 0
	for _, h := range v.hosts {
		byRole[h.Role] = append(byRole[h.Role], h)
	}
	for _, r := range v.spec.Roles {
		total += r.Tasks
	}
	var instances []string
	for _, r := range v.spec.Roles {
		var list []string
		for _, h := range byRole[r.Name] {
			if total <= maxExportedTasks {
				v.task(h, r)
			}
			if p := h.Ports[contract.PortHTTP]; h.HostIP != "" && len(p) > 0 {
				list = append(list, h.HostIP+":"+strconv.Itoa(p[0]))
			}
		}
		for _, name := range spellings(r) {
			v.list(list, "PAI_TASK_ROLE_"+name+"_HOST_LIST")
		}
		for i := range r.Tasks {
			instances = append(instances, r.Name+":"+strconv.Itoa(i))
		}
	}
	v.list(instances, "PAI_TASK_ROLE_INSTANCES")
}

func (v *variables) list(entries []string, name string) {
	if text := strings.Join(entries, ","); len(text) <= maxExportedList {
		v.all[name] = text
	}
}

func (v *variables) storages() {
	for _, m := range v.spec.Mounts {
		v.set(m.Path, StorageVariable(m.Storage))
	}
}

// StorageVariable returns the name of the variable that contains a storage's
// path: PAI_STORAGE_ followed by the upper-case storage name. In that name,
// every character except ASCII letters and digits becomes an underscore.
func StorageVariable(storage string) string {
	return "PAI_STORAGE_" + strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		}
		return '_'
	}, storage)
}
