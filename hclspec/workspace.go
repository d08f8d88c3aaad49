// SPDX-License-Identifier: MPL-2.0

package hclspec

import "encoding/json"

// Workspace is a set of declarations from one directory of files or one
// protocol YAML file. Slices keep the order of declaration. The decoder reads
// the files in the order of their names.
type Workspace struct {
	// Name is the value of openpai.workspace. If Name is empty, the loader uses the
	// default for a local cluster.
	Name            string
	RequiredVersion string
	// RunRecords is a directory in Dir for copies of run records; "" for no
	// copies.
	RunRecords string
	// HistoryLimit is the maximum size of the run history in Kubernetes in MiB;
	// 0 for the default.
	HistoryLimit int

	// Dir is the base directory for relative paths and file functions.
	Dir string

	Variables []*Variable
	// Locals are the locals of the root module.
	Locals        []*Local
	Secrets       []*Secret
	Marketplaces  []*Marketplace
	Clusters      []*Cluster
	Storages      []*Storage
	Prerequisites []*Prerequisite
	Jobs          []*Job
	// Protocols are the protocol blocks. The loader converts each block into
	// a job.
	Protocols []*Protocol
	Moved     []*Moved
	// Modules are the module calls. A call with several instances is listed once.
	Modules []*Module
	// Policies are the rules that check the workspace's plans.
	Policies []*Policy

	// Sources maps the path of a value to its position.
	Sources SourceMap
}

// Variable is the declaration of an input value. The decoder has already
// replaced the references to the variable with the value. The declaration
// remains as documentation.
type Variable struct {
	Name        string
	Type        string
	Description string
	Sensitive   bool
	HasDefault  bool
	// Value is JSON; "" for a sensitive variable or a variable without a
	// value.
	Value string
}

// Local is a value from a locals block. The decoder has already substituted
// the value.
type Local struct {
	Name string
	// Value is JSON; "" for a secret or unknown value, and for a value longer than
	// [MaxLocal].
	Value string
	// References are the variables and locals that the local's expression
	// refers to.
	References []Address
}

// MaxLocal is the maximum length of [Local.Value] in bytes. The limit keeps run
// records small, because they contain these values.
const MaxLocal = 1 << 10

// Inputs contains the values of variables and locals, and cluster defaults
// (see [Cluster.Defaults]). Each map is keyed by name and contains JSON
// values.
type Inputs struct {
	Variables, Locals, Clusters map[string]json.RawMessage
}

// Moved records a changed job address. apply then does not replace the running job.
type Moved struct {
	From, To Address
	Path     Path
}

// Module is a module call. The workspace contains the declarations of the
// module. Their addresses begin with the module address.
type Module struct {
	Name string
	Path Path
	// Module is the address of the calling module, "" for the root.
	Module Address

	// Source is a directory, a git repository or an archive URL. Version is a
	// tag in the repository, "" for none.
	Source, Version string
}

// Call returns the address of a module without instance keys.
func (m *Module) Call() Address { return ModuleAddress(m.Module, m.Name, "").ModuleCall() }

// Protocol adds an OpenPAI protocol YAML file to the workspace as
// job.<Label>.
type Protocol struct {
	Label   string
	Path    Path
	File    string
	Cluster string
	// Secrets contains values that replace the values of secrets in the file.
	Secrets []*Secret
}

// Marketplace declares a source of items.
type Marketplace struct {
	Name string
	Path Path

	// Source is a directory, a git address, the http(s) URL of an item file,
	// or the base URL of an OpenPAI Marketplace REST server.
	Source string
	// Token is a template string that may contain one secret reference.
	Token string
	// Kubernetes is set if items are published as ConfigMaps.
	Kubernetes *KubernetesMarketplace
}

// KubernetesMarketplace identifies the cluster whose ConfigMaps contain the
// items.
type KubernetesMarketplace struct {
	Cluster   string
	Namespace string
}

// Job returns the root module's job with the given label, or nil.
func (w *Workspace) Job(label string) *Job {
	for _, j := range w.Jobs {
		if j.Label == label && j.Module == "" {
			return j
		}
	}
	return nil
}

// Cluster returns the declared cluster with the given name, or nil.
func (w *Workspace) Cluster(name string) *Cluster {
	for _, c := range w.Clusters {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Storage returns the root module's storage with the given name, or nil.
func (w *Workspace) Storage(name string) *Storage { return w.StorageIn("", name) }

// StorageIn returns the storage that a declaration in a module refers to, or
// nil. An address can refer to a storage in any module. A name refers to a
// storage in the module that contains the declaration.
func (w *Workspace) StorageIn(module Address, written string) *Storage {
	name := StorageName(written)
	if name != written {
		module = Address(written).Module()
	}
	for _, s := range w.Storages {
		if s.Name == name && s.Module == module {
			return s
		}
	}
	return nil
}

// Secret returns the root module's secret with the given name, or nil.
func (w *Workspace) Secret(name string) *Secret {
	for _, s := range w.Secrets {
		if s.Name == name && s.Module == "" {
			return s
		}
	}
	return nil
}

// Comment is a comment in a user's file. Comments are not part of the model.
// A conversion to another syntax preserves comments.
type Comment struct {
	// Path is the path of the value with the comment; empty for the file.
	Path Path
	// Above lists the comment lines above the value. Below lists the comment
	// lines at the end of the file. Beside is the comment on the same line as the
	// value. Each line begins with #.
	Above, Below []string
	Beside       string
}
