// SPDX-License-Identifier: MPL-2.0

package render

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Names of the volumes of a Pod.
const (
	volumeShm     = "dshm"
	volumeRuntime = "pai-vol"
	volumeRunSpec = "run-spec"
	volumeSecrets = "job-secrets"
	volumeLogs    = "host-log"
	volumeToken   = "api-token"
	volumeLogins  = "registry-logins"
)

func (r *renderer) volumes(role *resolve.TaskRole) []framework.Volume {
	volumes := []framework.Volume{
		{Name: volumeShm, EmptyDir: &framework.EmptyDir{Medium: "Memory", SizeLimit: strconv.Itoa(shmMB(role)) + "Mi"}},
		{Name: volumeRuntime, EmptyDir: &framework.EmptyDir{}},
		{Name: volumeRunSpec, ConfigMap: &framework.ConfigMapVolume{
			Name:  r.specMaps[role.FrameworkName],
			Items: []framework.KeyToPath{{Key: specKey(role), Path: "run.json"}},
		}},
	}
	if len(roleSecrets(role)) > 0 {
		volumes = append(volumes, framework.Volume{Name: volumeSecrets, Secret: r.secretVolume(role)})
	}
	if r.needsAccess() {
		volumes = append(volumes, tokenVolume())
	}
	if hasLogin(role) {
		volumes = append(volumes, r.loginVolume())
	}
	if r.keepsLogs() {
		volumes = append(volumes, r.logVolume())
	}
	if r.cachesFetches(role) {
		volumes = append(volumes, r.fetchCacheVolume())
	}
	return append(volumes, r.storageVolumes(role)...)
}

// secretVolume contains only the secrets that the role refers to.
func (r *renderer) secretVolume(role *resolve.TaskRole) *framework.SecretVolume {
	v := &framework.SecretVolume{SecretName: contract.JobSecret(r.job.Framework), DefaultMode: pointer(int32(0o400))}
	for _, name := range roleSecrets(role) {
		v.Items = append(v.Items, framework.KeyToPath{Key: name, Path: name})
	}
	return v
}

func hasLogin(role *resolve.TaskRole) bool {
	return role.Image.Username != "" || role.Image.Password != ""
}

// loginVolume contains the registry logins for the image check.
func (r *renderer) loginVolume() framework.Volume {
	return framework.Volume{Name: volumeLogins, Secret: &framework.SecretVolume{
		SecretName: contract.RegistrySecret(r.job.Framework), DefaultMode: pointer(int32(0o400)),
		Items: []framework.KeyToPath{{Key: RegistryKey, Path: path.Base(contract.RegistryLogins)}},
	}}
}

func (r *renderer) storageVolumes(role *resolve.TaskRole) []framework.Volume {
	var volumes []framework.Volume
	seen := map[string]bool{}
	for _, m := range role.Mounts {
		if seen[m.Storage] {
			continue
		}
		seen[m.Storage] = true
		v := framework.Volume{Name: volumeName(m.Storage)}
		if m.Declared != nil && m.Declared.HostPath != "" {
			v.HostPath = &framework.HostPath{Path: m.Declared.HostPath}
		} else {
			v.PersistentVolumeClaim = &framework.ClaimVolume{
				ClaimName: ClaimName(r.job.Workspace, m.Storage, m.Declared),
				ReadOnly:  m.Declared != nil && m.Declared.ReadOnly,
			}
		}
		volumes = append(volumes, v)
	}
	return volumes
}

// ClaimName returns the name of a storage's PersistentVolumeClaim. The claim
// either exists already, or apply creates it for the workspace. The claim of an
// undeclared storage has the name of the storage.
func ClaimName(workspace, name string, s *hclspec.Storage) string {
	switch {
	case s == nil:
		return name
	case s.Claim != "":
		return s.Claim
	default:
		return dnsLabel(workspace + "-" + s.ClusterName())
	}
}

// commonMounts returns the mounts of both containers.
func (r *renderer) commonMounts(role *resolve.TaskRole) []framework.VolumeMount {
	mounts := []framework.VolumeMount{
		{Name: volumeRuntime, MountPath: contract.Root},
		{Name: volumeRunSpec, MountPath: contract.ConfigDir, ReadOnly: true},
	}
	if r.keepsLogs() {
		mounts = append(mounts, framework.VolumeMount{Name: volumeLogs, MountPath: contract.LogDir, SubPath: LogPath(r.job, role.FrameworkName)})
	}
	return mounts
}

// initMounts returns the mounts of the init container. Only the init
// container mounts the token.
func (r *renderer) initMounts(role *resolve.TaskRole) []framework.VolumeMount {
	mounts := r.commonMounts(role)
	if r.needsAccess() {
		mounts = append(mounts, framework.VolumeMount{Name: volumeToken, MountPath: contract.TokenDir, ReadOnly: true})
	}
	if hasLogin(role) {
		mounts = append(mounts, framework.VolumeMount{Name: volumeLogins, MountPath: path.Dir(contract.RegistryLogins), ReadOnly: true})
	}
	return mounts
}

func (r *renderer) appMounts(role *resolve.TaskRole) []framework.VolumeMount {
	mounts := append([]framework.VolumeMount{{Name: volumeShm, MountPath: contract.SharedMemory}}, r.commonMounts(role)...)
	if len(roleSecrets(role)) > 0 {
		mounts = append(mounts, framework.VolumeMount{Name: volumeSecrets, MountPath: contract.SecretsDir, ReadOnly: true})
	}
	if r.cachesFetches(role) {
		mounts = append(mounts, framework.VolumeMount{Name: volumeFetches, MountPath: contract.FetchCacheDir})
	}
	for _, m := range role.Mounts {
		mounts = append(mounts, framework.VolumeMount{
			Name: volumeName(m.Storage), MountPath: m.Path, SubPath: m.SubPath, ReadOnly: readOnly(m),
		})
	}
	return mounts
}

func shmMB(role *resolve.TaskRole) int {
	if role.ShmMB <= 0 {
		return contract.DefaultShmMB
	}
	return role.ShmMB
}

func volumeName(storage string) string { return dnsLabel(storage + "-volume") }

var (
	validLabel   = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)
	outsideLabel = regexp.MustCompile(`[^a-z0-9]+`)
)

// dnsLabel returns a valid DNS label unchanged. For any other string, it
// returns the valid characters and part of the string's hash.
func dnsLabel(text string) string {
	if validLabel.MatchString(text) {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	kept := strings.Trim(outsideLabel.ReplaceAllString(strings.ToLower(text), "-"), "-")
	kept = strings.Trim(kept[:min(len(kept), 54)], "-")
	return strings.TrimPrefix(kept+"-"+hex.EncodeToString(sum[:4]), "-")
}
