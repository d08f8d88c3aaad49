package install

import "github.com/openpai/terraform-provider-openpai/internal/contract"

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
