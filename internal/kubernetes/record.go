package kubernetes

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// typeRecord is the value of contract.KeyType on records.
const typeRecord = "record"

// The keys of the ConfigMap of a record.
const (
	recordKey = "record.json"
	sentKey   = "framework.json.gz"
	// declaredKey holds what the front end wrote, packed as it is.
	declaredKey = "declaration.gz"
)

// recordVersion is the version of the format. A later one is not read.
const recordVersion = 1

// record is what is remembered of a job: what was applied and what came of it.
// It holds no secret value.
type record struct {
	Version        int               `json:"version"`
	Address        hclspec.Address   `json:"address"`
	Workspace      string            `json:"workspace"`
	Name           string            `json:"name"`
	User           string            `json:"user"`
	Framework      string            `json:"framework"`
	Hash           string            `json:"hash,omitempty"`
	Fields         map[string]string `json:"fields,omitempty"`
	SecretVersions map[string]string `json:"secret_versions,omitempty"`
	// RoleNames are the names of the task roles as written, by those in the
	// Framework.
	RoleNames map[string]string `json:"role_names,omitempty"`
	// Objects are those that the Framework owns.
	Objects []objectID `json:"objects,omitempty"`
	// Logs is the storage that keeps the logs, and the directory in it that
	// has one directory per task role; nil: logs go with the Pod.
	Logs *logPlace `json:"logs,omitempty"`
	// PriorityClass is the name of the job's own one; empty: it has none.
	PriorityClass string    `json:"priority_class,omitempty"`
	Created       time.Time `json:"created"`

	// What was seen last, and when.
	Seen      *time.Time       `json:"seen,omitempty"`
	State     planner.JobState `json:"state,omitempty"`
	ExitCode  *int             `json:"exit_code,omitempty"`
	Completed *time.Time       `json:"completed,omitempty"`
}

// objectID names an object of the namespace.
type objectID struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

func (o objectID) String() string { return o.Kind + " " + o.Name }

type logPlace struct {
	Storage string `json:"storage,omitempty"` // empty: the nodes themselves
	// Root is what the storage leads to, for people.
	Root string `json:"root,omitempty"`
	Path string `json:"path"`
}

func (p *logPlace) String() string {
	switch {
	case p.Storage == "":
		return fmt.Sprintf("%s in %s", p.Path, p.Root)
	case p.Root == "":
		return fmt.Sprintf("%s on the storage %q", p.Path, p.Storage)
	}
	return fmt.Sprintf("%s on the storage %q (%s)", p.Path, p.Storage, p.Root)
}

// stored is a record as the cluster has it.
type stored struct {
	record
	// sent is the spec of the Framework as it was sent last; nil for a
	// Framework that was adopted.
	sent map[string]any
	// declaration is what the front end wrote; nil: nothing.
	declaration []byte
	meta        framework.ObjectMeta
}

// recordObject is the ConfigMap of a record.
type recordObject struct {
	APIVersion string               `json:"apiVersion"`
	Kind       string               `json:"kind"`
	Metadata   framework.ObjectMeta `json:"metadata"`
	Data       map[string]string    `json:"data,omitempty"`
	BinaryData map[string][]byte    `json:"binaryData,omitempty"`
}

func (c *Cluster) newRecord(s cluster.Submission, d *dependants, sent map[string]any) *stored {
	r := record{
		Version: recordVersion, Address: s.Job.Address, Workspace: s.Job.Workspace, Name: s.Job.Name, User: s.Job.User,
		Framework: s.Job.Framework, Hash: s.Hash, Fields: s.Fields, SecretVersions: s.SecretVersions,
		RoleNames: map[string]string{}, Objects: d.ids(), Created: c.options.Now().UTC().Truncate(time.Second),
	}
	for _, role := range s.Job.TaskRoles {
		r.RoleNames[role.FrameworkName] = role.Name
	}
	if p := d.manifest.PriorityClass; p != nil {
		r.PriorityClass = p.Metadata.Name
	}
	if storage, root := c.options.Target.LogPlace(s.Job.Workspace); root != "" {
		r.Logs = &logPlace{Storage: storage, Root: root, Path: s.Job.User + "/" + s.Job.Framework}
	}
	return &stored{record: r, sent: sent, declaration: s.Declaration}
}

// saveRecord writes a record. One that was read before is only overwritten when
// nobody else wrote it since.
func (c *Cluster) saveRecord(ctx context.Context, r *stored) error {
	text, err := json.Marshal(r.record)
	if err != nil {
		panic("kubernetes: " + err.Error()) // a record always marshals
	}
	o := recordObject{
		APIVersion: "v1", Kind: "ConfigMap", Data: map[string]string{recordKey: string(text)},
		Metadata: framework.ObjectMeta{
			Name: contract.RecordConfigMap(r.Framework), Namespace: c.namespace, ResourceVersion: r.meta.ResourceVersion,
			Labels:      ownLabels(r.Workspace, r.Address),
			Annotations: map[string]string{contract.KeyWorkspace: r.Workspace, contract.KeyAddress: string(r.Address)},
		},
	}
	o.Metadata.Labels[contract.KeyType] = typeRecord
	o.BinaryData = map[string][]byte{}
	if r.sent != nil {
		o.BinaryData[sentKey] = pack(marshal(r.sent))
	}
	if len(r.declaration) > 0 {
		o.BinaryData[declaredKey] = pack(r.declaration)
	}
	return c.apply(ctx, configMaps, o.Metadata.Name, o, true)
}

func ownLabels(workspace string, address hclspec.Address) map[string]string {
	return map[string]string{
		contract.LabelManagedBy: contract.ManagedBy,
		contract.KeyWorkspace:   contract.LabelValue(workspace),
		contract.KeyAddress:     contract.LabelValue(string(address)),
	}
}

// loadRecord returns nil when there is no record.
func (c *Cluster) loadRecord(ctx context.Context, name string) (*stored, error) {
	var o recordObject
	err := c.get(ctx, configMaps, contract.RecordConfigMap(name), &o)
	if isNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return readRecord(o)
}

func readRecord(o recordObject) (*stored, error) {
	r := &stored{meta: o.Metadata}
	if err := json.Unmarshal([]byte(o.Data[recordKey]), &r.record); err != nil {
		return nil, fmt.Errorf("read the record %s: %w", o.Metadata.Name, err)
	}
	if r.Version > recordVersion {
		return nil, fmt.Errorf("read the record %s: a later version of openpai wrote it; use that one", o.Metadata.Name)
	}
	text, err := unpack(o.BinaryData[sentKey])
	if err == nil && text != nil {
		err = json.Unmarshal(text, &r.sent)
	}
	if err == nil {
		r.declaration, err = unpack(o.BinaryData[declaredKey])
	}
	if err != nil {
		return nil, fmt.Errorf("read the record %s: %w", o.Metadata.Name, err)
	}
	return r, nil
}

func marshal(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic("kubernetes: " + err.Error()) // decoded JSON always marshals
	}
	return text
}

// frameworkOf returns the Framework of a record's ConfigMap.
func frameworkOf(name string) string { return strings.TrimSuffix(name, contract.RecordConfigMap("")) }

// forget drops what is remembered of a record that was written.
func (c *Cluster) forget(framework string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.records, framework)
}
