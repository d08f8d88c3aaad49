// SPDX-License-Identifier: MPL-2.0

package check

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// minMinorVersion is the first minor version of Kubernetes 1 in which server-side
// apply is stable.
const minMinorVersion = 22

// parseMinorVersion parses a minor version that the API server reports. Some
// vendors append a plus sign.
func parseMinorVersion(major, minor string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimRight(minor, "+"))
	return n, err == nil && major == "1"
}

// needs are the objects and resources that the jobs of a cluster require. Names
// are sorted.
type needs struct {
	// claims are the PersistentVolumeClaims that must exist, by storage name.
	claims map[string]string
	// createsVolumes reports whether apply creates volumes.
	createsVolumes bool
	// accounts are the existing ServiceAccounts that Pods use.
	accounts []string
	// hasAccounts reports whether every job uses an existing ServiceAccount.
	hasAccounts bool
	// pullSecrets and priorities are the image pull Secrets and
	// PriorityClasses in Pod settings.
	pullSecrets, priorities []string
	// resources maps a resource name to the largest amount that a single task
	// requests.
	resources map[string]int
	profile   string
	// objects maps a resource and a verb to the object that requires the
	// permission.
	objects map[string]map[string]string
	// ownPriorities reports whether apply creates a separate PriorityClass
	// for each job.
	ownPriorities bool
}

func needsOf(ws *hclspec.Workspace, declared *hclspec.Cluster, jobs []*resolve.Job) needs {
	target := render.ClusterTarget(ws, declared.Name)
	n := needs{claims: map[string]string{}, resources: map[string]int{}, profile: declared.Profile, ownPriorities: target.PriorityClass != nil}
	n.objects = map[string]map[string]string{api.Secrets.Plural: {"get": render.WorkspaceObject(ws.Name)}}
	if s := target.LogStorage; s != nil {
		n.addStorage(ws.Name, s.Name, s)
	}
	pods, accounts := []*hclspec.Pod{declared.Pod}, map[string]bool{}
	for _, job := range jobs {
		if job.Cluster != declared.Name {
			continue
		}
		pods = append(pods, job.Pod)
		for _, role := range job.TaskRoles {
			pods = append(pods, role.Pod)
			accounts[accountOf(target.Account(), role.Pod, job.Pod, declared.Pod)] = true
			n.addTaskRole(job, role)
		}
	}
	if len(accounts) == 0 { // no job yet
		accounts[accountOf(target.Account(), declared.Pod)] = true
	}
	n.addPodSettings(pods)
	n.addAccounts(accounts)
	return n
}

// addTaskRole adds the storages and GPUs that a task role requires. Nodes do
// not advertise resources that HiveD allocates. A job from a record does not
// contain storage blocks, so its claims are unknown.
func (n *needs) addTaskRole(job *resolve.Job, role *resolve.TaskRole) {
	for _, m := range role.Mounts {
		if m.Declared != nil || job.Declared != nil {
			n.addStorage(job.Workspace, m.Storage, m.Declared)
		}
	}
	if role.GPU > 0 && render.Placement(job, role) == nil {
		n.resources[contract.ResourceGPU] = max(n.resources[contract.ResourceGPU], role.GPU)
	}
}

// accountOf returns the first service account in settings, or else the
// cluster's account. It returns "" if apply creates an account for the job.
func accountOf(cluster string, settings ...*hclspec.Pod) string {
	for _, p := range settings {
		if p != nil && p.ServiceAccount != "" {
			return p.ServiceAccount
		}
	}
	return cluster
}

func (n *needs) addAccounts(accounts map[string]bool) {
	n.hasAccounts = !accounts[""]
	for _, name := range slices.Sorted(maps.Keys(accounts)) {
		if name != "" {
			n.accounts = append(n.accounts, name)
		}
	}
}

func (n *needs) addStorage(workspace, name string, s *hclspec.Storage) {
	switch {
	case s == nil || s.Claim != "":
		n.claims[name] = render.ClaimName(workspace, name, s)
	case s.HostPath == "":
		n.createsVolumes = true
	}
}

func (n *needs) addPodSettings(pods []*hclspec.Pod) {
	secrets, priorities := map[string]bool{}, map[string]bool{}
	for _, p := range pods {
		if p == nil {
			continue
		}
		for _, name := range p.ImagePullSecrets {
			secrets[name] = true
		}
		if p.PriorityClass != "" {
			priorities[p.PriorityClass] = true
		}
	}
	n.pullSecrets, n.priorities = slices.Sorted(maps.Keys(secrets)), slices.Sorted(maps.Keys(priorities))
}
