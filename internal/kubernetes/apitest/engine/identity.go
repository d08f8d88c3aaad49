// SPDX-License-Identifier: MPL-2.0

//go:build acc

package engine

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// variable is one entry of a container's env.
type variable struct{ name, value string }

// identity returns the environment variables that identify a Pod, in the same
// order as the real engine. Source: microsoft/frameworkcontroller:
// pkg/apis/frameworkcontroller/v1/funcs.go.
func (e *Engine) identity(fw *framework.Framework, attempt *unstructured.Unstructured, role string, index int32) []variable {
	uid := string(attempt.GetUID())
	return []variable{
		{"FC_FRAMEWORK_NAMESPACE", e.Namespace}, {"FC_FRAMEWORK_NAME", fw.Metadata.Name}, {"FC_TASKROLE_NAME", role}, {"FC_TASK_INDEX", fmt.Sprint(index)},
		{"FC_CONFIGMAP_NAME", attempt.GetName()}, {"FC_POD_NAME", framework.PodName(fw.Metadata.Name, role, int(index))},
		{"FC_FRAMEWORK_UID", fw.Metadata.UID}, {"FC_FRAMEWORK_ATTEMPT_ID", fmt.Sprint(e.Attempt)}, {"FC_FRAMEWORK_ATTEMPT_INSTANCE_UID", framework.InstanceUID(e.Attempt, uid)},
		{"FC_CONFIGMAP_UID", uid}, {"FC_TASKROLE_UID", "role-" + role}, {"FC_TASK_UID", fmt.Sprintf("task-%s-%d", role, index)}, {"FC_TASK_ATTEMPT_ID", "0"},
	}
}

// identify adds the identity to the annotations of a Pod, and to the beginning of
// every container's environment variables.
func identify(pod *unstructured.Unstructured, identity []variable) {
	annotations := pod.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	var env []any
	for _, v := range identity {
		annotations[v.name] = v.value
		env = append(env, map[string]any{"name": v.name, "value": v.value})
	}
	pod.SetAnnotations(annotations)
	env = append(env,
		map[string]any{"name": "FC_POD_UID", "valueFrom": map[string]any{"fieldRef": map[string]any{"fieldPath": "metadata.uid"}}},
		map[string]any{"name": "FC_TASK_ATTEMPT_INSTANCE_UID", "value": "0_$(FC_POD_UID)"},
	)
	spec, _ := pod.Object["spec"].(map[string]any)
	for _, kind := range []string{"initContainers", "containers"} {
		list, _ := spec[kind].([]any)
		for _, c := range list {
			container := c.(map[string]any)
			own, _ := container["env"].([]any)
			container["env"] = append(append([]any{}, env...), own...)
			if container["terminationMessagePolicy"] == nil {
				container["terminationMessagePolicy"] = "FallbackToLogsOnError"
			}
		}
	}
}
