package install

import "github.com/openpai/terraform-provider-openpai/internal/contract"

// PolicyName is the name of the admission policy and of its binding.
const PolicyName = "openpai-seccomp"

// admission adds seccompProfile to the Pods of Frameworks. The restricted Pod
// security level asks for it, and a Pod template cannot carry it through the
// Kubernetes 1.16 types of FrameworkController.
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

// administer is a verb of no request: a role that permits it on the ConfigMap
// of storage permissions makes an administrator of them. One that permits all
// verbs, such as cluster-admin, includes it.
const administer = "administer"

// storages keeps the table of storage permissions from users, who may write
// the other ConfigMaps of the namespace. The end of a namespace takes it along.
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
					"message":    "only administrators change who may use which storage: the verb " + administer + " on this ConfigMap is needed",
				}},
			},
		},
		{
			"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding", "metadata": metadata(contract.StoragePermissions, ""),
			"spec": object{"policyName": contract.StoragePermissions, "validationActions": []string{"Deny"}},
		},
	}
}
