// SPDX-License-Identifier: MPL-2.0

package install

import "github.com/openpai/terraform-provider-openpai/internal/contract"

// PolicyName is the name of the admission policy and its binding.
const PolicyName = "openpai-seccomp"

// admission returns the policy that adds seccompProfile to Framework Pods.
// The restricted Pod security level requires the field. FrameworkController
// drops the field, because its Pod template uses Kubernetes 1.16 types.
func admission() []object {
	return []object{
		{
			"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicy", "metadata": metadata(PolicyName, ""),
			"spec": object{
				"failurePolicy":      "Fail",
				"reinvocationPolicy": "Never",
				"matchConstraints": object{"resourceRules": []object{{
					"apiGroups": []string{""}, "apiVersions": []string{"v1"}, "resources": []string{"pods"}, "operations": []string{"CREATE"},
				}}},
				"matchConditions": []object{{
					"name":       "pod-of-a-framework",
					"expression": `has(object.metadata.labels) && "FC_FRAMEWORK_NAME" in object.metadata.labels && !(has(object.spec.securityContext) && has(object.spec.securityContext.seccompProfile))`,
				}},
				"mutations": []object{{
					"patchType": "ApplyConfiguration",
					"applyConfiguration": object{
						"expression": `Object{spec: Object.spec{securityContext: Object.spec.securityContext{seccompProfile: Object.spec.securityContext.seccompProfile{type: "RuntimeDefault"}}}}`,
					},
				}},
			},
		},
		{
			"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicyBinding", "metadata": metadata(PolicyName, ""),
			"spec": object{"policyName": PolicyName},
		},
	}
}

// administer is a custom verb that no API request uses. Only a role with this
// verb permits changes of the ConfigMap with the storage permissions. Roles that
// grant all verbs, such as cluster-admin, also grant this verb.
const administer = "administer"

// storages returns the policy that protects the ConfigMap with the storage
// permissions. Users may still write other ConfigMaps in the namespace. The policy
// does not prevent the deletion of the whole namespace.
func storages() []object {
	return []object{
		{
			"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy", "metadata": metadata(contract.StoragePermissions, ""),
			"spec": object{
				"failurePolicy": "Fail",
				"matchConstraints": object{"resourceRules": []object{{
					"apiGroups": []string{""}, "apiVersions": []string{"v1"}, "resources": []string{"configmaps"}, "operations": []string{"CREATE", "UPDATE", "DELETE"},
				}}},
				"matchConditions": []object{
					{"name": "the-table", "expression": `(object != null ? object : oldObject).metadata.name == "` + contract.StoragePermissions + `"`},
					{"name": "not-the-end-of-the-namespace", "expression": `request.userInfo.username != "system:serviceaccount:kube-system:namespace-controller"`},
				},
				"validations": []object{{
					"expression": `authorizer.group("").resource("configmaps").namespace(request.namespace).name("` + contract.StoragePermissions + `").check("` + administer + `").allowed()`,
					"message":    "only administrators may change storage permissions: the verb " + administer + " on this ConfigMap is required",
				}},
			},
		},
		{
			"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding", "metadata": metadata(contract.StoragePermissions, ""),
			"spec": object{"policyName": contract.StoragePermissions, "validationActions": []string{"Deny"}},
		},
	}
}
