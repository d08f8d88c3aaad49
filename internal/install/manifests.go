// SPDX-License-Identifier: MPL-2.0

package install

import (
	"bytes"

	"sigs.k8s.io/yaml"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// object is a Kubernetes object. Its YAML form has sorted keys.
type object map[string]any

// Manifests returns the parts as one YAML stream in an order for kubectl
// apply. The output is deterministic. The options must pass [Options.Check].
func Manifests(o Options) []byte {
	write := map[string]func(*bytes.Buffer, Options){PartCRD: writeCRD, PartEngine: writeEngine, PartRole: writeRoles, PartPolicies: writePolicies}
	var out bytes.Buffer
	for _, part := range Parts() {
		if o.prints(part) {
			write[part](&out, o)
		}
	}
	return out.Bytes()
}

func writeCRD(out *bytes.Buffer, _ Options) {
	section(out, "The Framework custom resource.")
	out.Write(bytes.TrimPrefix(framework.CRD(), []byte("---\n")))
}

func writeEngine(out *bytes.Buffer, o Options) {
	section(out, "FrameworkController: run exactly one instance per cluster.", engine(o)...)
}

func writeRoles(out *bytes.Buffer, o Options) {
	namespaces, err := o.namespaces()
	if err != nil {
		panic("install: " + err.Error()) // Check has already rejected such options
	}
	for _, n := range namespaces {
		section(out, o.comment(), n.permissions(o)...)
	}
	if o.PriorityClasses {
		section(out, "Additional user permissions, required if the cluster block contains a priority_class block.", priorities(o)...)
	}
}

func writePolicies(out *bytes.Buffer, _ Options) {
	section(out, "Only administrators may change the ConfigMap with the storage permissions.", storages()...)
	section(out, "Only for clusters with pod_security = \"restricted\": FrameworkController\n# drops seccompProfile, so the API server must add it.", admission()...)
}

func section(out *bytes.Buffer, comment string, objects ...object) {
	out.WriteString("---\n# " + comment + "\n")
	for i, o := range objects {
		if i > 0 {
			out.WriteString("---\n")
		}
		out.Write(marshalYAML(o))
	}
}

// marshalYAML returns v as YAML. v contains only maps, slices and scalars, so
// marshaling cannot fail.
func marshalYAML(v any) []byte {
	y, err := yaml.Marshal(v)
	if err != nil {
		panic(err)
	}
	return y
}

func metadata(name, namespace string) object {
	m := object{"name": name}
	if namespace != "" {
		m["namespace"] = namespace
	}
	return m
}

func rule(group string, resources, verbs []string) object {
	return object{"apiGroups": []string{group}, "resources": resources, "verbs": verbs}
}

const rbacVersion = "rbac.authorization.k8s.io/v1"
