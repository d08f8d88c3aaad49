// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// WriteOptions are the options for [Write].
type WriteOptions struct {
	// Workspace contains the declarations that the addresses in the job refer
	// to. Write copies the required prerequisites from the workspace into the
	// job. Workspace may be nil.
	Workspace *hclspec.Workspace
	// WithSecrets includes the values of secrets in the result. If it is
	// false, asterisks replace the values, as in OpenPAI.
	WithSecrets bool
	// SecretValue returns the value of a secret, or false if the value is not
	// available. Write calls SecretValue for secrets without a value in the
	// job if WithSecrets is true. SecretValue may be nil.
	SecretValue func(*hclspec.Secret) (string, bool)
}

// Write returns a job as version 2 protocol YAML. Keys are in a fixed order, and
// multi-line commands are block scalars. Parsing the result returns an identical job.
// Warnings report the parts that the protocol cannot express. After errors, the result
// is incomplete.
func Write(job *hclspec.Job, opts WriteOptions) ([]byte, hcl.Diagnostics) {
	w := &writer{options: opts}
	if w.options.Workspace == nil {
		w.options.Workspace = &hclspec.Workspace{}
	}
	local := w.embed(job)
	root := w.job(local)
	return encoded(root), hclspec.Sort(w.diags)
}

func encoded(root *yaml.Node) []byte {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(root); err != nil {
		panic(fmt.Sprintf("protocol: write: %v", err)) // cannot fail: this package built the nodes
	}
	return out.Bytes()
}

type writer struct {
	options WriteOptions
	diags   hcl.Diagnostics
}

func (w *writer) report(e *hclspec.Entry, at hclspec.Path, format string, args ...any) {
	w.diags = append(w.diags, e.At(w.options.Workspace.Sources.Range(at), format, args...))
}

// The key order in the OpenPAI documentation. Undocumented keys follow in the
// order of the field table.
var jobKeyOrder = []string{"name", "type", "version", "contributor", "description", "prerequisites", "parameters", "secrets", "jobRetryCount", "taskRoles", "deployments"}

var roleKeyOrder = []string{"instances", "completion", "taskRetryCount", "prerequisites", "dockerImage", "data", "output", "script", "extraContainerOptions", "resourcePerInstance", "commands"}

var (
	defaultsKeyOrder = []string{"deployment", "virtualCluster"}
	extrasKeyOrder   = []string{"gangAllocation", "hivedScheduler", "com.microsoft.pai.runtimeplugin", "storages", "jobStatusChangeNotification", "submitFrom", "reference_prerequisites"}
)

// keyOrder lists the keys of each job container in the order that Write uses. The
// key "" selects the list for the job itself.
var keyOrder = map[string][]string{
	"":         inOrder(jobKeyOrder, keysOf("")),
	"defaults": inOrder(defaultsKeyOrder, keysOf("defaults")),
	"extras":   inOrder(extrasKeyOrder, keysOf("extras")),
}

func (w *writer) job(job *hclspec.Job) *yaml.Node {
	root := newObject()
	root.put("protocolVersion", numberNode("2"))
	v := reflectValue(job)
	for _, name := range keyOrder[""] {
		switch name {
		case "type":
			root.put(name, stringNode("job"))
		case "secrets":
			continue // w.secrets adds them below, when the used secrets are known
		default:
			w.field(root, hclspec.JobBlock.ByProtocol(name), name, v)
		}
	}
	root.putUnlessEmpty("defaults", w.container("defaults", v, job.Defaults))
	root.putUnlessEmpty("extras", w.extras(job, v))
	w.secrets(root, job)
	return root.Node
}

func (w *writer) container(name string, v reflect.Value, rest map[string]any) *object {
	m := newObject()
	for _, key := range keyOrder[name] {
		w.field(m, hclspec.JobBlock.ByProtocol(name+"."+key), key, v)
	}
	for _, key := range slices.Sorted(maps.Keys(rest)) {
		m.put(key, dynamicNode(rest[key]))
	}
	return m
}

func (w *writer) extras(job *hclspec.Job, v reflect.Value) *object {
	m := w.container("extras", v, job.Extras)
	if job.DefaultStorages && len(job.Storage) == 0 {
		m.put("storages", newSequence().Node)
	}
	return m
}

// keysOf returns the keys in table order.
func keysOf(container string) []string {
	var keys []string
	for _, name := range protocolNames(hclspec.JobBlock) {
		group, key, nested := strings.Cut(name, ".")
		switch {
		case nested && group == container:
			keys = append(keys, key)
		case !nested && container == "" && hclspec.JobBlock.ExtraKeysField(name) == nil:
			keys = append(keys, name)
		}
	}
	return keys
}

// inOrder returns first, then the keys of all that first does not contain.
func inOrder(first, all []string) []string {
	rest := slices.DeleteFunc(slices.Clone(all), func(key string) bool { return slices.Contains(first, key) })
	return slices.Concat(first, rest)
}

// block writes the fields that first lists, then the other fields in table
// order.
func (w *writer) block(b *hclspec.Block, v reflect.Value, first ...string) *object {
	m := newObject()
	for _, name := range first {
		w.field(m, b.ByProtocol(name), name, v)
	}
	for i := range b.Fields {
		if f := &b.Fields[i]; f.Protocol != "" && !slices.Contains(first, f.Protocol) {
			w.field(m, f, f.Protocol, v)
		}
	}
	return m
}

func (w *writer) field(m *object, f *hclspec.Field, key string, parent reflect.Value) {
	v := f.In(parent)
	if isOmitted(f, v) {
		return
	}
	if node := w.value(f, v); node != nil {
		m.put(key, node)
	}
}

// isOmitted reports whether Write omits a field because it has its default
// value.
func isOmitted(f *hclspec.Field, v reflect.Value) bool {
	if f.AlwaysWritten && !(f.Kind == hclspec.String && v.String() == "") {
		return false
	}
	return isDefault(f, v)
}

// isDefault reports whether the decoder sets the value v for an absent field.
func isDefault(f *hclspec.Field, v reflect.Value) bool {
	switch f.Kind {
	case hclspec.Bool, hclspec.Int, hclspec.Dur:
		preset := reflect.New(v.Type()).Elem()
		f.SetDefault(preset)
		return v.Interface() == preset.Interface()
	case hclspec.String:
		return v.String() == "" || f.Default == v.String()
	}
	if v.Kind() == reflect.Slice || v.Kind() == reflect.Map {
		return v.Len() == 0
	}
	return v.IsZero()
}

// WriteItem returns a prerequisite as a YAML file with one item. The bytes do
// not depend on the original syntax of the prerequisite. Parsing the file
// returns an identical prerequisite. The content hash of an item is the hash
// of these bytes.
func WriteItem(p *hclspec.Prerequisite) []byte {
	w := &writer{options: WriteOptions{Workspace: &hclspec.Workspace{}}}
	return encoded(w.prerequisite(p).Node)
}
