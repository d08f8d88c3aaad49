// SPDX-License-Identifier: MPL-2.0

package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// tolerationFields lists the fields of a toleration in Kubernetes 1.16.
var tolerationFields = []string{"effect", "key", "operator", "tolerationSeconds", "value"}

// tolerationWords lists the valid values of each toleration field with a
// fixed set of values.
var tolerationWords = map[string][]string{
	"operator": {"Equal", "Exists"},
	"effect":   {"NoSchedule", "PreferNoSchedule", "NoExecute"},
}

func (r *renderer) checkTolerations(role *resolve.TaskRole, tolerations []any) {
	at := r.podRange(role, "tolerations", "")
	for i, t := range tolerations {
		fields, ok := t.(map[string]any)
		if !ok {
			r.report(InvalidToleration.At(at, "Toleration %d of task role %q must be an object such as { key = \"gpu\", operator = \"Exists\" }.", i+1, role.Name))
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			if !slices.Contains(tolerationFields, name) {
				r.report(InvalidToleration.At(at, "Toleration %d of task role %q has the unknown field %q; valid fields are %s.%s",
					i+1, role.Name, name, strings.Join(tolerationFields, ", "), hclspec.Suggest(name, tolerationFields)))
			}
			known, input := tolerationWords[name], fmt.Sprint(fields[name])
			if len(known) > 0 && fields[name] != nil && input != "" && !slices.Contains(known, input) {
				r.report(InvalidToleration.At(at, "Toleration %d of task role %q has the invalid %s %q; valid values are %s.%s",
					i+1, role.Name, name, input, strings.Join(known, ", "), hclspec.Suggest(input, known)))
			}
		}
	}
}

var (
	reservedLabels = []string{contract.LabelUser, contract.LabelVirtualCluster, contract.LabelType, contract.LabelManagedBy, contract.KeyWorkspace, contract.KeyAddress,
		"FC_FRAMEWORK_NAME", "FC_TASKROLE_NAME", "FC_TASK_INDEX"}
	reservedAnnotations = []string{contract.AnnotationPorts, contract.AnnotationHived, contract.KeyWorkspace, contract.KeyAddress}
)

func (r *renderer) checkLabels(role *resolve.TaskRole, labels map[string]string) {
	r.checkReserved(role, "labels", "label", labels, reservedLabels)
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if v := labels[key]; contract.LabelValue(v) != v {
			r.report(InvalidLabel.At(r.podRange(role, "labels", key),
				"Label %q on the Pods of task role %q has the invalid value %q. A label value must have at most 63 characters: letters, digits, '-', '_' and '.', and must start and end with a letter or digit. Use an annotation for longer strings.", key, role.Name, v))
		}
	}
}

// checkNodeSelector reports invalid label values, because no node can match
// them.
func (r *renderer) checkNodeSelector(role *resolve.TaskRole, selector map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(selector)) {
		if v := selector[key]; contract.LabelValue(v) != v {
			r.report(InvalidLabel.At(r.podRange(role, "node_selector", key),
				"The node_selector %q of task role %q has the value %q, which is not a valid label value.", key, role.Name, v))
		}
	}
}

func (r *renderer) checkReserved(role *resolve.TaskRole, setting, element string, set map[string]string, reserved []string) {
	for _, key := range slices.Sorted(maps.Keys(set)) {
		if slices.Contains(reserved, key) {
			r.report(ReservedPodKey.At(r.podRange(role, setting, key), "openpai sets the %s %q on the Pods of task role %q. Remove it from the pod block.", element, key, role.Name))
		}
	}
}
