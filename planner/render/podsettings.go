// SPDX-License-Identifier: MPL-2.0

package render

import (
	"maps"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// podSettings merges the settings of the cluster, the job and the role. Single
// values and map entries replace earlier values; lists are appended.
func (r *renderer) podSettings(role *resolve.TaskRole) hclspec.Pod {
	merged := hclspec.Pod{}
	for _, p := range []*hclspec.Pod{r.target.Pod, r.job.Pod, role.Pod} {
		if p != nil {
			mergePod(&merged, p)
		}
	}
	return merged
}

func mergePod(into, p *hclspec.Pod) {
	for _, t := range p.Tolerations {
		if !slices.ContainsFunc(into.Tolerations, func(o any) bool { return canonical(o) == canonical(t) }) {
			into.Tolerations = append(into.Tolerations, t)
		}
	}
	for _, name := range p.ImagePullSecrets {
		if !slices.Contains(into.ImagePullSecrets, name) {
			into.ImagePullSecrets = append(into.ImagePullSecrets, name)
		}
	}
	into.NodeSelector = overlay(into.NodeSelector, p.NodeSelector)
	into.Labels = overlay(into.Labels, p.Labels)
	into.Annotations = overlay(into.Annotations, p.Annotations)
	if p.PriorityClass != "" {
		into.PriorityClass = p.PriorityClass
	}
	if p.ServiceAccount != "" {
		into.ServiceAccount = p.ServiceAccount
	}
	if p.RunAsUser != nil {
		into.RunAsUser = p.RunAsUser
	}
}

func overlay(under, over map[string]string) map[string]string {
	if len(over) == 0 {
		return under
	}
	merged := maps.Clone(under)
	if merged == nil {
		merged = map[string]string{}
	}
	maps.Copy(merged, over)
	return merged
}
