package protocol

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// WriteOptions say what surrounds the job that is written.
type WriteOptions struct {
	// Workspace is where addresses in the job lead. Prerequisites of it that
	// the job uses are written into the job. It may be nil.
	Workspace *hclspec.Workspace
	// WithSecrets writes the values of secrets. Without it there are
	// asterisks in their place, as OpenPAI itself shows them.
	WithSecrets bool
	// SecretValue returns the values of secrets that the job does not hold
	// itself. It may be nil.
	SecretValue func(*hclspec.Secret) (string, bool)
}

// Write returns a job as protocol YAML of version 2, with keys in one order
// and commands of several lines as blocks. Reading it gives an equal job.
// Warnings name what the protocol cannot say; with errors the text is not
// complete.
func Write(job *hclspec.Job, opts WriteOptions) ([]byte, hcl.Diagnostics) {
	w := &writer{options: opts}
	if w.options.Workspace == nil {
		w.options.Workspace = &hclspec.Workspace{}
	}
	local := w.embed(job)
	root := w.job(local)
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(root); err != nil {
		panic(fmt.Sprintf("protocol: write job: %v", err)) // the tree is ours
	}
	return out.Bytes(), hclspec.Sort(w.diags)
}

type writer struct {
	options WriteOptions
	diags   hcl.Diagnostics
}

func (w *writer) report(e *hclspec.Entry, at hclspec.Path, format string, args ...any) {
	w.diags = append(w.diags, e.At(w.options.Workspace.Sources.Range(at), format, args...))
}

// order is that of the keys of a job in the documentation of OpenPAI.
var order = []string{"name", "type", "version", "contributor", "description", "prerequisites", "parameters", "secrets", "jobRetryCount", "taskRoles", "deployments"}

// roleOrder is the order of the keys of a task role.
var roleOrder = []string{"instances", "completion", "taskRetryCount", "prerequisites", "dockerImage", "data", "output", "script", "extraContainerOptions", "resourcePerInstance", "commands"}

func (w *writer) job(job *hclspec.Job) *yaml.Node {
	root := newMap()
	root.put("protocolVersion", number("2"))
	v := reflectValue(job)
	for _, name := range order {
		switch name {
		case "type":
			root.put(name, text("job"))
		case "secrets":
			continue // written last, when it is known which are used
		default:
			w.field(root, hclspec.JobBlock.ByProtocol(name), name, v)
		}
	}
	root.putUnlessEmpty("defaults", w.container("defaults.", []string{"deployment", "virtualCluster"}, v, job.Defaults))
	root.putUnlessEmpty("extras", w.extras(job, v))
	w.secrets(root, job)
	return root.Node
}

func (w *writer) container(prefix string, names []string, v reflect.Value, rest map[string]any) *object {
	m := newMap()
	for _, name := range names {
		w.field(m, hclspec.JobBlock.ByProtocol(prefix+name), name, v)
	}
	for _, key := range sortedKeys(rest) {
		m.put(key, free(rest[key]))
	}
	return m
}

func (w *writer) extras(job *hclspec.Job, v reflect.Value) *object {
	names := []string{"gangAllocation", "hivedScheduler", "com.microsoft.pai.runtimeplugin", "storages", "jobStatusChangeNotification", "submitFrom", "reference_prerequisites"}
	m := w.container("extras.", names, v, job.Extras)
	if job.DefaultStorages && len(job.Storage) == 0 {
		m.put("storages", newList().Node)
	}
	return m
}

// block writes the fields of a struct in the order of the table, or of names.
func (w *writer) block(b *hclspec.Block, v reflect.Value, names []string) *object {
	m := newMap()
	if names == nil {
		names = protocolNames(b)
	}
	for _, name := range names {
		w.field(m, b.ByProtocol(name), name, v)
	}
	return m
}

// field writes one field under a key, unless it is absent.
func (w *writer) field(m *object, f *hclspec.Field, key string, parent reflect.Value) {
	v := parent.FieldByName(f.Go)
	if absent(f, v) {
		return
	}
	if node := w.value(f, v); node != nil {
		m.put(key, node)
	}
}

// alwaysWritten are fields that are written when they have their default.
var alwaysWritten = []string{"instances", "defaults.virtualCluster", "jobRetryCount", "gpu", "cpu", "memoryMB"}

// absent reports a value that reads the same when it is not written.
func absent(f *hclspec.Field, v reflect.Value) bool {
	if slices.Contains(alwaysWritten, f.Protocol) && !(f.Kind == hclspec.String && v.String() == "") {
		return false
	}
	return isDefault(f, v)
}

// isDefault reports a value that the decoder sets when the field is absent.
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
