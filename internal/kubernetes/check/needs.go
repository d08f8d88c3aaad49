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

// minMinorVersion is the minor version of the first Kubernetes 1 whose server-side
// apply is stable.
const minMinorVersion = 22

// parseMinorVersion reads a version as the API server reports it; some vendors add a plus
// sign.
func parseMinorVersion(major, minor string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimRight(minor, "+"))
	return n, err == nil && major == "1"
}

// needs are the objects and resources that the jobs of one cluster take for
// granted. Names are sorted.
type needs struct {
	// claims are PersistentVolumeClaims that must exist, by the storage that
	// names them.
	claims map[string]string
	// createsVolumes says that apply makes volumes.
	createsVolumes bool
	// accounts are existing ServiceAccounts that Pods run under.
	accounts []string
	// hasAccounts says that none has to be made for a job.
	hasAccounts bool
	// pullSecrets, priorities: as settings of Pods name them.
	pullSecrets, priorities []string
	// resources are amounts of the largest task, by resource name.
	resources map[string]int
	profile   string
	// objects are those that a verb is needed for at least, by resource and verb.
	objects map[string]map[string]string
	// ownPriorities says that each job gets its own PriorityClass.
	ownPriorities bool
}

// needsOf collects the needs of the jobs on a cluster.
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

// addTaskRole adds the storages and GPUs of a task role. What HiveD gives, no node
// declares.
func (n *needs) addTaskRole(job *resolve.Job, role *resolve.TaskRole) {
	for _, m := range role.Mounts {
		n.addStorage(job.Workspace, m.Storage, m.Declared)
	}
	if role.GPU > 0 && render.Placement(job, role) == nil {
		n.resources[contract.ResourceGPU] = max(n.resources[contract.ResourceGPU], role.GPU)
	}
}

// accountOf returns the account that Pods run under by their settings, nearest
// first, or that of the cluster; "" when one is made for the job.
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
