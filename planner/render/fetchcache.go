// SPDX-License-Identifier: MPL-2.0

package render

import (
	"slices"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

const volumeFetches = "fetch-cache"

// cachesFetches reports whether a role uses the node's download cache. Only
// tasks with downloads can access the cache.
func (r *renderer) cachesFetches(role *resolve.TaskRole) bool {
	return r.target.FetchCache != "" && slices.ContainsFunc(role.Steps, func(s *resolve.Step) bool { return len(s.Fetch) > 0 })
}

func (r *renderer) fetchCacheVolume() framework.Volume {
	return framework.Volume{Name: volumeFetches, HostPath: &framework.HostPath{Path: r.target.FetchCache, Type: "DirectoryOrCreate"}}
}

func (r *renderer) fetchCacheEnvironment(role *resolve.TaskRole) []framework.EnvVar {
	if !r.cachesFetches(role) {
		return nil
	}
	env := []framework.EnvVar{{Name: contract.EnvFetchCache, Value: contract.FetchCacheDir}}
	if r.target.FetchCacheMB > 0 {
		env = append(env, framework.EnvVar{Name: contract.EnvFetchCacheMB, Value: strconv.Itoa(r.target.FetchCacheMB)})
	}
	return env
}
