package install

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
