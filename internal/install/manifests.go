package install

import (
	"bytes"

	"sigs.k8s.io/yaml"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// Options say what the manifests are for.
type Options struct {
	// EngineNamespace is where FrameworkController runs.
	EngineNamespace string
	// EngineImage is its image; it is built from the sources of
	// microsoft/frameworkcontroller.
	EngineImage string
	// JobNamespace is where jobs run and users get their permissions.
	JobNamespace string
	// Users and Groups get the permissions; without any the role is printed
	// without a binding.
	Users, Groups []string
	// PriorityClasses adds the permission that jobs with PriorityClasses of
	// their own need.
	PriorityClasses bool
}

// The defaults of Options.
const (
	DefaultEngineNamespace = "frameworkcontroller"
	DefaultEngineImage     = "frameworkcontroller/frameworkcontroller:v1.0.0"
	DefaultJobNamespace    = "default"
)

// object is a Kubernetes object; its YAML has sorted keys.
type object map[string]any

// Manifests returns everything as one YAML stream, in an order that kubectl
// apply can follow. Same options, same bytes.
func Manifests(o Options) []byte {
	var out bytes.Buffer
	section(&out, "The Framework custom resource.")
	out.Write(bytes.TrimPrefix(framework.CRD(), []byte("---\n")))
	section(&out, "FrameworkController: exactly one instance for a cluster.", engine(o)...)
	section(&out, "What a user of openpai needs in the namespace of the jobs.", users(o)...)
	if o.PriorityClasses {
		section(&out, "What users need besides where the cluster block has priority_class.", priorities(o)...)
	}
	section(&out, "Only administrators change the ConfigMap that says who may use which storage.", storages()...)
	section(&out, "Only for clusters with pod_security = \"restricted\": FrameworkController\n# drops seccompProfile, so that the API server has to add it.", admission()...)
	return out.Bytes()
}

func section(out *bytes.Buffer, comment string, objects ...object) {
	out.WriteString("---\n# " + comment + "\n")
	for i, o := range objects {
		if i > 0 {
			out.WriteString("---\n")
		}
		out.Write(text(o))
	}
}

// text is the YAML of a value of maps, slices and scalars, which always
// marshals.
func text(v any) []byte {
	y, err := yaml.Marshal(v)
	if err != nil {
		panic(err)
	}
	return y
}

func meta(name, namespace string) object {
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
