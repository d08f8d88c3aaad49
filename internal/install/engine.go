// SPDX-License-Identifier: MPL-2.0

package install

import "github.com/openpai/terraform-provider-openpai/internal/framework"

const (
	engineName = "frameworkcontroller"
	configFile = "frameworkcontroller.yaml"
)

// engine returns the objects that run FrameworkController with minimal
// permissions. It includes the StatefulSet only if o contains an image. Applying
// the manifests again without an image then keeps the current image.
func engine(o Options) []object {
	subject := object{"kind": "ServiceAccount", "name": engineName, "namespace": o.EngineNamespace}
	objects := []object{
		{"apiVersion": "v1", "kind": "Namespace", "metadata": metadata(o.EngineNamespace, "")},
		{"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata(engineName, o.EngineNamespace)},
		{"apiVersion": rbacVersion, "kind": "ClusterRole", "metadata": metadata(engineName, ""), "rules": engineRules()},
		{
			"apiVersion": rbacVersion, "kind": "ClusterRoleBinding", "metadata": metadata(engineName, ""),
			"roleRef":  object{"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": engineName},
			"subjects": []object{subject},
		},
		{
			"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata(engineName+"-config", o.EngineNamespace),
			"data": object{configFile: string(marshalYAML(engineConfig()))},
		},
	}
	if o.EngineImage != "" {
		objects = append(objects, workload(o))
	}
	return objects
}

// engineRules returns the permissions for API calls of FrameworkController. Only
// the admission plugin OwnerReferencesPermissionEnforcement requires the
// permission to update finalizers.
func engineRules() []object {
	return []object{
		rule("apiextensions.k8s.io", []string{"customresourcedefinitions"}, []string{"get", "create", "update"}),
		rule(framework.Group, []string{"frameworks"}, []string{"get", "list", "watch", "update", "delete"}),
		rule(framework.Group, []string{"frameworks/finalizers"}, []string{"update"}),
		rule("", []string{"configmaps", "pods"}, []string{"get", "list", "watch", "create", "delete"}),
		rule("", []string{"configmaps/finalizers"}, []string{"update"}),
	}
}

// engineConfig returns FrameworkController's configuration.
// FrameworkController compresses large Frameworks, to stay below etcd's size
// limit, and retains finished Frameworks for thirty days.
func engineConfig() object {
	return object{
		"largeFrameworkCompression":   true,
		"frameworkCompletedRetainSec": 30 * 24 * 3600,
		"podFailureSpec":              failureRules(),
	}
}

// workload returns the StatefulSet of FrameworkController. A Deployment may run
// two instances at the same time. Two instances would interfere, because both
// would change every Framework. FrameworkController reads its configuration
// from its working directory.
func workload(o Options) object {
	labels := object{"app": engineName}
	return object{
		"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": metadata(engineName, o.EngineNamespace),
		"spec": object{
			"replicas":    1,
			"serviceName": engineName,
			"selector":    object{"matchLabels": labels},
			"template": object{
				"metadata": object{"labels": labels},
				"spec": object{
					"serviceAccountName": engineName,
					"containers":         []object{engineContainer(o.EngineImage)},
					"volumes":            []object{{"name": "config", "configMap": object{"name": engineName + "-config"}}},
				},
			},
		},
	}
}

func engineContainer(image string) object {
	return object{
		"name": engineName, "image": image,
		"resources": object{
			"requests": object{"cpu": "100m", "memory": "256Mi"},
			"limits":   object{"memory": "2Gi"},
		},
		"volumeMounts": []object{{
			"name": "config", "readOnly": true, "subPath": configFile,
			"mountPath": "/opt/frameworkcontroller/frameworkcontroller/" + configFile,
		}},
	}
}
