// SPDX-License-Identifier: MPL-2.0

package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// checkNames reports names that are invalid in Kubernetes. The API server
// would accept the Framework but reject its first Pod.
func (r *renderer) checkNames(role *resolve.TaskRole, p hclspec.Pod) {
	refuse := func(at hcl.Range, what, name string, problems []string) {
		for i, p := range problems {
			problems[i], _, _ = strings.Cut(p, " (e.g.") // the rest of the message contains an example and the pattern
		}
		if len(problems) > 0 {
			r.report(InvalidKubernetesName.At(at, "%s of task role %q is %q, which Kubernetes rejects: %s.", what, role.Name, name, strings.Join(problems, "; ")))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(p.Labels)) {
		refuse(r.podRange(role, "labels", key), "A label key", key, validation.IsQualifiedName(key))
	}
	for _, key := range slices.Sorted(maps.Keys(p.Annotations)) {
		refuse(r.podRange(role, "annotations", key), "An annotation key", key, validation.IsQualifiedName(strings.ToLower(key)))
	}
	for _, key := range slices.Sorted(maps.Keys(p.NodeSelector)) {
		refuse(r.podRange(role, "node_selector", key), "A node_selector key", key, validation.IsQualifiedName(key))
	}
	for _, t := range p.Tolerations {
		fields, _ := t.(map[string]any)
		if key := fields["key"]; key != nil && key != "" {
			refuse(r.podRange(role, "tolerations", ""), "A toleration key", fmt.Sprint(key), validation.IsQualifiedName(fmt.Sprint(key)))
		}
	}
	object := func(what, setting, name string) {
		if name != "" {
			refuse(r.podRange(role, setting, ""), what+setting, name, validation.IsDNS1123Subdomain(name))
		}
	}
	object("The ", "priority_class", p.PriorityClass)
	object("The ", "service_account", p.ServiceAccount)
	for _, name := range p.ImagePullSecrets {
		object("An element of ", "image_pull_secrets", name)
	}
}
