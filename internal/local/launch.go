package local

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// launch is what a task process is told. It is recorded before the process
// starts and holds no secret.
type launch struct {
	Spec       *runspec.Spec `json:"spec"`
	Index      int           `json:"index"`
	Attempt    int           `json:"attempt"`
	JobAttempt int           `json:"job_attempt"`
	PodUID     string        `json:"pod_uid"`
	Environ    []string      `json:"environ"`
	Self       runspec.Host  `json:"self"`
	SecretsDir string        `json:"secrets_dir"`
	HostsFile  string        `json:"hosts_file"`
	FetchCache string        `json:"fetch_cache"`
	PluginDir  string        `json:"plugin_dir"`
	// Mounts are those that the task has to make for itself.
	Mounts []mount `json:"mounts,omitempty"`
}

// pluginDirName is the directory of third-party plugins in that of the
// workspace.
const pluginDirName = "plugins"

// createPods prepares the processes of new tasks, records what they will be
// told, and starts them once the state is recorded.
func (s *supervisor) createPods(keys []taskKey) {
	if len(keys) == 0 {
		return
	}
	ports := &portChooser{random: s.random, taken: s.portsInUse()}
	for _, key := range keys {
		t := s.task(key)
		p := &pod{
			key: key, uid: newUID(s.random),
			dir: s.layout.taskAttempt(s.object.name, s.fw.Status.AttemptStatus.ID, key, t.AttemptStatus.ID),
		}
		s.pods[key] = p
		s.describePod(t, p.uid)
		p.err = s.prepareLaunch(key, t, p, ports)
		s.enterTask(t, framework.StateAttemptCreationRequested)
	}
	s.then(func() {
		ports.close()
		if s.unrecorded {
			return // a successor would start them again; they are about to end anyway
		}
		if s.released { // else the gang's table is written when all are ready
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

// describePod fills in what FrameworkController reads from the Pod.
func (s *supervisor) describePod(t *framework.TaskStatus, uid string) {
	address, node := nodeAddress, nodeName()
	instance := framework.InstanceUID(t.AttemptStatus.ID, uid)
	t.AttemptStatus.PodUID, t.AttemptStatus.InstanceUID = &uid, &instance
	t.AttemptStatus.PodNodeName, t.AttemptStatus.PodIP, t.AttemptStatus.PodHostIP = &node, &address, &address
}

// nodeName is the name of this machine.
func nodeName() string {
	name, err := os.Hostname()
	if err != nil {
		return "localhost"
	}
	return name
}

func (s *supervisor) prepareLaunch(key taskKey, t *framework.TaskStatus, p *pod, chooser *portChooser) error {
	if err := p.makeDirs(); err != nil {
		return err
	}
	spec := s.specs[key.role]
	if spec == nil {
		return fmt.Errorf("the run specification of task role %s is missing", key.role)
	}
	ports, err := chooser.choose(wantedPorts(spec), spec.PortStart, spec.PortEnd)
	if err != nil {
		return err
	}
	spec, made, err := placeMounts(spec, s.binding.Mounts[key.role], CanMount)
	if err != nil {
		return err
	}
	if spec, err = placeFetches(spec, filepath.Dir(string(s.layout))); err != nil {
		return err
	}
	l := launch{
		Spec: spec, Index: int(key.index), Attempt: int(t.AttemptStatus.ID), JobAttempt: int(s.fw.Status.AttemptStatus.ID),
		PodUID: p.uid, Mounts: made,
		Environ:    append(taskEnvironment(), s.variables(key, t)...),
		Self:       runspec.Host{Role: key.role, Index: int(key.index), IP: nodeAddress, HostIP: nodeAddress, Ports: ports},
		SecretsDir: s.layout.jobSecrets(s.object.name),
		HostsFile:  s.layout.hosts(s.object.name, s.fw.Status.AttemptStatus.ID),
		FetchCache: s.layout.fetches(),
		PluginDir:  filepath.Join(filepath.Dir(string(s.layout)), pluginDirName),
	}
	s.hosts[key] = l.Self
	return writeJSON(p.dir.launch(), l)
}

// taskEnvironment is what a task inherits from the supervisor, which itself
// inherited only what is allowed.
func taskEnvironment() []string { return allowedEnvironment(os.Environ()) }

func wantedPorts(spec *runspec.Spec) []runspec.Port {
	for _, r := range spec.Roles {
		if r.Name == spec.Role {
			return r.Ports
		}
	}
	return nil
}

// placeMounts makes the missing directories of storages and decides how the
// task sees them: in place, by a mount of its own, or, where this machine
// permits no mounts, by the path in the variable of the storage.
func placeMounts(spec *runspec.Spec, mounts []mount, canMount func() bool) (*runspec.Spec, []mount, error) {
	placed := *spec
	placed.Mounts = append([]runspec.Mount{}, spec.Mounts...)
	var made []mount
	for i, m := range mounts {
		if err := os.MkdirAll(m.Source, 0o755); err != nil {
			return nil, nil, fmt.Errorf("make the directory of storage %s: %w", m.Storage, err)
		}
		switch {
		case m.inPlace():
		case canMount():
			made = append(made, m)
		case i < len(placed.Mounts):
			placed.Mounts[i].Path = m.Source
		}
	}
	return &placed, made, nil
}

// portsInUse are the ports of tasks of this attempt, who may still listen.
func (s *supervisor) portsInUse() map[int]bool {
	taken := map[int]bool{}
	for _, host := range s.hosts {
		for _, ports := range host.Ports {
			for _, port := range ports {
				taken[port] = true
			}
		}
	}
	return taken
}

func (s *supervisor) task(key taskKey) *framework.TaskStatus {
	st := findRoleStatus(s.fw.Status.AttemptStatus.TaskRoleStatuses, key.role)
	for i := range st.TaskStatuses {
		if st.TaskStatuses[i].Index == key.index {
			return &st.TaskStatuses[i]
		}
	}
	panic("local: no task " + key.String())
}

// variables are those that FrameworkController gives to every container.
// Source: microsoft/frameworkcontroller: pkg/apis/frameworkcontroller/v1/constants.go.
func (s *supervisor) variables(key taskKey, t *framework.TaskStatus) []string {
	attempt := s.fw.Status.AttemptStatus
	role := findRoleStatus(attempt.TaskRoleStatuses, key.role)
	value := func(p *string) string {
		if p == nil {
			return ""
		}
		return *p
	}
	return []string{
		"FC_FRAMEWORK_NAMESPACE=" + s.fw.Metadata.Namespace,
		"FC_FRAMEWORK_NAME=" + s.fw.Metadata.Name,
		"FC_TASKROLE_NAME=" + key.role,
		"FC_TASK_INDEX=" + strconv.Itoa(int(key.index)),
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
