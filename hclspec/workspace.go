package hclspec

// Workspace is the set of declarations that are managed together: one
// directory of files, or one protocol YAML file. Slices keep the order of
// declaration, files sorted by name.
type Workspace struct {
	// Name is the value of openpai.workspace. It is empty when the user did
	// not write one; the loader then fills in the default of a local cluster.
	Name            string
	RequiredVersion string
	// RunRecords is the directory, below Dir, that the records of runs are also
	// written to; "" for none.
	RunRecords string
	// HistoryLimit bounds what Kubernetes keeps of runs, in MiB; 0 is the default.
	HistoryLimit int

	// Dir is the directory that relative paths and file functions start from.
	Dir string

	Variables     []*Variable
	Secrets       []*Secret
	Marketplaces  []*Marketplace
	Clusters      []*Cluster
	Storages      []*Storage
	Prerequisites []*Prerequisite
	Jobs          []*Job
	// Protocols are the protocol blocks; the loader turns each into a job.
	Protocols []*Protocol
	Moved     []*Moved
	// Modules are the calls of modules, each once for all its instances.
	Modules []*Module
	// Policies judge the plans of the workspace.
	Policies []*Policy

	// Sources leads from the path of a value to where it was written.
	Sources SourceMap
}

// Variable is the declaration of an input value. Its value was already used
// when the model exists; the declaration stays for documentation.
type Variable struct {
	Name        string
	Type        string
	Description string
	Sensitive   bool
	HasDefault  bool
	// Value is the JSON of the value it has; "" for a sensitive variable and one
	// without a value.
	Value string
}

// Moved renames an address without replacing what runs.
type Moved struct {
	From, To Address
	Path     Path
}

// Module is a call of a module. What the module declares is in the workspace,
// under addresses that begin with that of the module.
type Module struct {
	Name string
	Path Path
	// Module is the address of the module that calls it, "" for the root.
	Module Address

	// Source is a directory inside the workspace.
	Source string
}

// Protocol includes an OpenPAI protocol YAML file as job.<Label>.
type Protocol struct {
	Label   string
	Path    Path
	File    string
	Cluster string
}

// Marketplace declares a source of items.
type Marketplace struct {
	Name string
	Path Path

	// Source is a directory, a git address, an http(s) URL of an item file,
	// or the base URL of an OpenPAI Marketplace REST server.
	Source string
	// Token is a template string that may hold one secret reference.
	Token string
	// Kubernetes is set when items are published as ConfigMaps.
	Kubernetes *KubernetesMarketplace
}

// KubernetesMarketplace names the cluster whose ConfigMaps hold items.
type KubernetesMarketplace struct {
	Cluster   string
	Namespace string
}

// Job returns the job of the root with that label, or nil.
func (w *Workspace) Job(label string) *Job {
	for _, j := range w.Jobs {
		if j.Label == label && j.Module == "" {
			return j
		}
	}
	return nil
}

// Cluster returns the declared cluster of that name, or nil.
func (w *Workspace) Cluster(name string) *Cluster {
	for _, c := range w.Clusters {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Storage returns the storage of that name which the root declares, or nil.
func (w *Workspace) Storage(name string) *Storage { return w.StorageIn("", name) }

// StorageIn returns what something in a module names, or nil: a storage of any
// module by its address, or one of the same module by its name.
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

// Secret returns the secret of that name which the root declares, or nil.
func (w *Workspace) Secret(name string) *Secret {
	for _, s := range w.Secrets {
		if s.Name == name && s.Module == "" {
			return s
		}
	}
	return nil
}

// Comment is a remark that a person wrote beside the model. Remarks are not
// part of it: they are carried from one syntax to another.
type Comment struct {
	// Path is that of what the comment is at; empty is the file itself.
	Path Path
	// Above holds the lines above it, Below those after the end of the file,
	// Beside what is in the same line. Each line begins with #.
	Above, Below []string
	Beside       string
}
