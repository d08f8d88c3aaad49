// SPDX-License-Identifier: MPL-2.0

package local

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/local/task"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// pluginDirName is the name of the third-party plugin directory in a
// workspace directory.
const pluginDirName = "plugins"

// createPods records the launch data of new tasks. The processes start after
// the state has been recorded.
func (s *supervisor) createPods(keys []store.TaskKey) {
	if len(keys) == 0 {
		return
	}
	ports := &portAllocator{random: s.random, inUse: s.portsInUse()}
	for _, key := range keys {
		t := s.task(key)
		p := &pod{
			key: key, uid: newUID(s.random),
			dir: s.layout.TaskAttempt(s.object.Name, s.fw.Status.AttemptStatus.ID, key, t.AttemptStatus.ID),
		}
		s.pods[key] = p
		s.describePod(t, p.uid)
		p.err = s.prepareLaunch(key, t, p, ports)
		s.enterTask(t, framework.StateAttemptCreationRequested)
	}
	s.afterRecord(func() {
		ports.close()
		if s.unrecorded {
			return // the job is ending; if unrecorded tasks started now, the next supervisor would start them again
		}
		if s.released && s.specs.Gang() { // before the gang is released, releaseGang writes the host table
			if err := s.writeHosts(); err != nil {
				s.log("%v", err)
			}
		}
		for _, key := range keys {
			if p := s.pods[key]; p.err == nil {
				p.err = s.startTask(p)
			}
		}
	})
}

func (s *supervisor) startTask(p *pod) (err error) {
	p.process, err = task.Start(s.program, p.dir, p.uid, func(end task.End) { s.ends <- podEnd{p.key, p.uid, &end} })
	p.verified = p.process.PID != 0
	return err
}

// started reports whether a process belongs to a running task.
func (s *supervisor) started(pid int) bool {
	for _, p := range s.pods {
		if p.process.PID == pid && !p.ended {
			return true
		}
	}
	return false
}

// describePod sets the status fields that FrameworkController copies from the Pod.
func (s *supervisor) describePod(t *framework.TaskStatus, uid string) {
	address, node := task.Address, nodeName()
	instance := framework.InstanceUID(t.AttemptStatus.ID, uid)
	t.AttemptStatus.PodUID, t.AttemptStatus.InstanceUID = &uid, &instance
	t.AttemptStatus.PodNodeName, t.AttemptStatus.PodIP, t.AttemptStatus.PodHostIP = &node, &address, &address
}

func nodeName() string {
	name, err := os.Hostname()
	if err != nil {
		return "localhost"
	}
	return name
}

func (s *supervisor) prepareLaunch(key store.TaskKey, t *framework.TaskStatus, p *pod, allocator *portAllocator) error {
	if err := p.makeDirs(); err != nil {
		return err
	}
	spec := s.specs[key.Role]
	if spec == nil {
		return fmt.Errorf("the run specification of task role %s is missing", key.Role)
	}
	ports, err := allocator.allocate(task.Ports(spec), int(key.Index), spec.PortStart, spec.PortEnd)
	if err != nil {
		return err
	}
	spec, made, err := task.PlaceMounts(spec, s.binding.Mounts[key.Role], task.CanMount)
	if err != nil {
		return err
	}
	l := task.Launch{
		Spec: spec, Index: int(key.Index), Attempt: int(t.AttemptStatus.ID), JobAttempt: int(s.fw.Status.AttemptStatus.ID),
		PodUID: p.uid, Mounts: made,
		Environ:    append(task.Environment(), s.variables(key, t)...),
		Self:       runspec.Host{Role: key.Role, Index: int(key.Index), IP: task.Address, HostIP: task.Address, Ports: ports},
		SecretsDir: s.layout.JobSecrets(s.object.Name),
		HostsFile:  s.layout.Hosts(s.object.Name, s.fw.Status.AttemptStatus.ID),
		FetchDir:   filepath.Dir(string(s.layout)),
		FetchCache: s.layout.FetchCache(),
		PluginDir:  filepath.Join(filepath.Dir(string(s.layout)), pluginDirName),
	}
	if s.cgroup != "" {
		l.Cgroup = process.TaskCgroup(s.cgroup, string(p.dir), p.uid)
	}
	p.cgroup, s.hosts[key] = l.Cgroup, l.Self
	return store.WriteJSON(p.dir.Launch(), l)
}

// portsInUse returns the ports of all started tasks, because tasks may still
// use them. It also returns all fixed ports, because unstarted tasks need
// them later.
func (s *supervisor) portsInUse() map[int]bool {
	used := map[int]bool{}
	for _, host := range s.hosts {
		for _, ports := range host.Ports {
			for _, port := range ports {
				used[port] = true
			}
		}
	}
	for _, spec := range s.specs {
		reserveFixed(used, spec)
	}
	return used
}

func reserveFixed(used map[int]bool, spec *runspec.Spec) {
	for _, r := range spec.Roles {
		for _, wanted := range r.Ports {
			if r.Name != spec.Role || wanted.First == 0 {
				continue
			}
			for index := range r.Tasks {
				for _, port := range fixedPorts(wanted, index) {
					used[port] = true
				}
			}
		}
	}
}

func (s *supervisor) task(key store.TaskKey) *framework.TaskStatus {
	st := s.fw.Status.AttemptStatus.TaskRole(key.Role)
	for i := range st.TaskStatuses {
		if st.TaskStatuses[i].Index == key.Index {
			return &st.TaskStatuses[i]
		}
	}
	panic("local: no task " + key.String())
}

// variables returns the environment variables that FrameworkController sets in every
// container. Source: microsoft/frameworkcontroller:
// pkg/apis/frameworkcontroller/v1/constants.go.
func (s *supervisor) variables(key store.TaskKey, t *framework.TaskStatus) []string {
	attempt := s.fw.Status.AttemptStatus
	role := attempt.TaskRole(key.Role)
	value := func(p *string) string {
		if p == nil {
			return ""
		}
		return *p
	}
	return []string{
		"FC_FRAMEWORK_NAMESPACE=" + s.fw.Metadata.Namespace,
		"FC_FRAMEWORK_NAME=" + s.fw.Metadata.Name,
		"FC_TASKROLE_NAME=" + key.Role,
		"FC_TASK_INDEX=" + strconv.Itoa(int(key.Index)),
		"FC_CONFIGMAP_NAME=" + attempt.ConfigMapName,
		"FC_POD_NAME=" + t.AttemptStatus.PodName,
		"FC_FRAMEWORK_UID=" + s.fw.Metadata.UID,
		"FC_FRAMEWORK_ATTEMPT_ID=" + strconv.Itoa(int(attempt.ID)),
		"FC_FRAMEWORK_ATTEMPT_INSTANCE_UID=" + value(attempt.InstanceUID),
		"FC_CONFIGMAP_UID=" + value(attempt.ConfigMapUID),
		"FC_TASKROLE_UID=" + role.InstanceUID,
		"FC_TASK_UID=" + t.InstanceUID,
		"FC_TASK_ATTEMPT_ID=" + strconv.Itoa(int(t.AttemptStatus.ID)),
		"FC_TASK_ATTEMPT_INSTANCE_UID=" + value(t.AttemptStatus.InstanceUID),
		"FC_POD_UID=" + value(t.AttemptStatus.PodUID),
	}
}
