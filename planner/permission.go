// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// StoragePermissions contains the cluster administrators' rules that define
// who may use which storage. The users and groups of a storage block further
// restrict that storage.
type StoragePermissions struct {
	// Place describes the location of the permissions in diagnostics.
	Place string `json:"-"`
	// Groups lists the users of each group.
	Groups map[string][]string `json:"groups,omitempty"`
	// Storages are the rules. A user may use a storage only if every rule for the
	// storage includes the user.
	Storages []StoragePermission `json:"storages,omitempty"`
	// Unlisted controls the use of each storage to which no rule applies.
	// With "deny", no user may use the storage; with "allow" (the default),
	// all users may use it.
	Unlisted string `json:"unlisted,omitempty"`
}

// StoragePermission defines who may use a storage, everything inside the
// storage, and its parent directories.
type StoragePermission struct {
	// Storage is a [StorageIdentity].
	Storage string   `json:"storage"`
	Users   []string `json:"users,omitempty"`
	Groups  []string `json:"groups,omitempty"`
}

// Check returns an error for a rule that cannot have the intended effect.
func (t *StoragePermissions) Check() error {
	if t.Unlisted != "" && t.Unlisted != "allow" && t.Unlisted != "deny" {
		return fmt.Errorf("unlisted must be allow or deny, but is %q", t.Unlisted)
	}
	for i, s := range t.Storages {
		kind, rest, _ := strings.Cut(s.Storage, "/")
		if !slices.Contains(storageKinds, kind) || rest == "" || cleanIdentity(s.Storage) != s.Storage {
			return fmt.Errorf("invalid storages[%d].storage %q: must consist of a storage kind (%s), a slash, and the name or path of the storage, for example nfs/files.example.org/export", i, s.Storage, strings.Join(storageKinds, ", "))
		}
		for _, g := range s.Groups {
			if _, ok := t.Groups[g]; !ok {
				return fmt.Errorf("storages[%d].groups contains the undefined group %q; define it in groups, or correct the name", i, g)
			}
		}
	}
	return nil
}

var storageKinds = []string{"claim", "host_path", "nfs", "azure_file", "azure_blob", "csi"}

// StorageIdentity returns the identity of the mounted storage, not its name
// in the configuration: claim/NAME, host_path/PATH, nfs/SERVER/PATH,
// azure_file/SHARE, azure_blob/ACCOUNT/CONTAINER or csi/DRIVER/HANDLE.
func StorageIdentity(m *resolve.Mount) string {
	s := m.Declared
	switch {
	case s == nil:
		return cleanIdentity("claim/" + m.Storage)
	case s.Claim != "":
		return cleanIdentity("claim/" + s.Claim)
	case s.HostPath != "":
		return cleanIdentity("host_path/" + s.HostPath)
	case s.NFS != nil:
		return cleanIdentity("nfs/" + s.NFS.Server + "/" + s.NFS.Path)
	case s.AzureFile != nil:
		return cleanIdentity("azure_file/" + s.AzureFile.Share)
	case s.AzureBlob != nil:
		return cleanIdentity("azure_blob/" + s.AzureBlob.Account + "/" + s.AzureBlob.Container)
	case s.CSI != nil:
		return cleanIdentity("csi/" + s.CSI.Driver + "/" + s.CSI.VolumeHandle)
	}
	return ""
}

// cleanIdentity ensures that "..", double slashes or upper-case host names cannot
// bypass a rule. The identity keeps its kind, even if ".." follows the kind.
func cleanIdentity(s string) string {
	kind, rest, _ := strings.Cut(s, "/")
	if kind == "nfs" {
		server, export, _ := strings.Cut(rest, "/")
		rest = strings.ToLower(server) + "/" + export
	}
	return strings.TrimSuffix(kind+path.Clean("/"+rest), "/")
}

// refuses returns the rule that denies a storage to a user, or nil. A rule also
// applies to everything inside its storage, and to its parent directories.
func (t *StoragePermissions) refuses(user, identity string) *StoragePermission {
	listed := false
	for i, s := range t.Storages {
		if s.Storage != identity && !strings.HasPrefix(identity, s.Storage+"/") && !strings.HasPrefix(s.Storage, identity+"/") {
			continue
		}
		listed = true
		if !t.member(user, s.Users, s.Groups) {
			return &t.Storages[i]
		}
	}
	if !listed && t.Unlisted == "deny" {
		return &StoragePermission{Storage: identity}
	}
	return nil
}

func (t *StoragePermissions) member(user string, users, groups []string) bool {
	return slices.Contains(users, user) || slices.ContainsFunc(groups, func(g string) bool { return slices.Contains(t.Groups[g], user) })
}

// checkPermissions reports mounts that the user may not use. The diagnostics
// are errors if apply submits the job, otherwise warnings.
func (p *planning) checkPermissions(job *resolve.Job, s *Snapshot, action Action) {
	before := len(p.plan.Diagnostics)
	p.plan.Diagnostics = append(p.plan.Diagnostics, job.NotPermitted...)
	if action != NoOp {
		p.checkStorages(job, s)
	}
	if action == Create || action == Replace {
		return
	}
	for i, d := range p.plan.Diagnostics[before:] {
		warning := *d
		warning.Severity = hcl.DiagWarning
		p.plan.Diagnostics[before+i] = &warning
	}
}

func (p *planning) checkStorages(job *resolve.Job, s *Snapshot) {
	mounts := p.clusterMounts(job)
	for _, role := range job.TaskRoles {
		mounts = append(mounts, role.Mounts...)
	}
	reported := map[string]bool{}
	for _, m := range mounts {
		text, entry := p.refused(job, m, s.Permissions)
		if text == "" || reported[text] {
			continue
		}
		reported[text] = true
		p.find(entry.At(p.rangeOf(job), "%s The mount is requested by %s.", text, strings.Join(m.By, " and ")))
	}
}

func (p *planning) refused(job *resolve.Job, m *resolve.Mount, t *StoragePermissions) (string, *hclspec.Entry) {
	d := m.Declared
	named := d != nil && (len(d.Users) > 0 && slices.Contains(d.Users, job.User) || len(d.Users)+len(d.Groups) == 0)
	if text := t.refusesHostPath(job, m); text != "" {
		return text, hclspec.StorageNotPermitted
	}
	if t == nil {
		if d == nil || named || len(d.Groups) == 0 {
			return "", nil
		}
		return fmt.Sprintf("The storage %q is restricted to %s. The cluster %s does not define group membership, so the plan cannot check whether %q, the user of %s, may use the storage.",
			m.Storage, whom(d.Users, d.Groups), job.Cluster, job.User, job.Address), StorageGroupsUnknown
	}
	if rule := t.refuses(job.User, StorageIdentity(m)); rule != nil {
		return fmt.Sprintf("The storage %q (%s) is restricted to %s according to %s, but the user of %s is %q.",
			m.Storage, rule.Storage, whom(rule.Users, rule.Groups), t.Place, job.Address, job.User), hclspec.StorageNotPermitted
	}
	if d != nil && !named && !t.member(job.User, d.Users, d.Groups) {
		return fmt.Sprintf("The storage %q is restricted to %s, but the user of %s is %q.",
			m.Storage, whom(d.Users, d.Groups), job.Address, job.User), hclspec.StorageNotPermitted
	}
	return "", nil
}

// refusesHostPath returns why a job may not mount a node directory. It returns ""
// if the mount is permitted, is not a node directory, or is already refused by a
// rule. A user can choose any directory, so a mount requires a rule that permits
// it. Without a permission table, no such mount is permitted.
func (t *StoragePermissions) refusesHostPath(job *resolve.Job, m *resolve.Mount) string {
	if m.Declared == nil || m.Declared.HostPath == "" || job.Cluster == resolve.LocalCluster {
		return ""
	}
	identity := StorageIdentity(m)
	text := fmt.Sprintf("The storage %q (%s) is a node directory, but ", m.Storage, identity)
	if t == nil {
		return text + fmt.Sprintf("the cluster %s has no permission table that allows the mount. Use a claim, or ask an administrator for a rule in the ConfigMap openpai-storage-permissions.", job.Cluster)
	}
	if t.refuses(job.User, identity) != nil || t.permits(job.User, identity) {
		return ""
	}
	return text + fmt.Sprintf("no rule in %s allows %q, the user of %s, to mount the directory. Use a claim, or ask an administrator for a rule.", t.Place, job.User, job.Address)
}

// permits reports whether a rule for the storage, or for an enclosing
// storage, includes the user.
func (t *StoragePermissions) permits(user, identity string) bool {
	return slices.ContainsFunc(t.Storages, func(s StoragePermission) bool {
		return (s.Storage == identity || strings.HasPrefix(identity, s.Storage+"/")) && t.member(user, s.Users, s.Groups)
	})
}

func whom(users, groups []string) string {
	var all []string
	for _, u := range users {
		all = append(all, fmt.Sprintf("%q", u))
	}
	for _, g := range groups {
		all = append(all, fmt.Sprintf("the group %q", g))
	}
	if len(all) == 0 {
		return "no user"
	}
	return strings.Join(all, ", ")
}

// clusterMounts returns the mounts of the cluster block: the storage for logs
// and the node directory for downloads. Users can edit the cluster block, so
// these mounts also need permission.
func (p *planning) clusterMounts(job *resolve.Job) []*resolve.Mount {
	target := p.o.RenderTargets[job.Cluster]
	by := func(setting string) []string { return []string{setting + " of cluster." + job.Cluster} }
	var all []*resolve.Mount
	if s := target.LogStorage; s != nil {
		all = append(all, &resolve.Mount{Storage: s.Name, By: by("log_storage"), Declared: s})
	}
	if target.FetchCache != "" && slices.ContainsFunc(job.TaskRoles, fetches) {
		s := &hclspec.Storage{Name: "fetch_cache", HostPath: target.FetchCache}
		all = append(all, &resolve.Mount{Storage: s.Name, By: by("fetch_cache"), Declared: s})
	}
	return all
}

func fetches(role *resolve.TaskRole) bool {
	return slices.ContainsFunc(role.Steps, func(s *resolve.Step) bool { return len(s.Fetch) > 0 })
}
