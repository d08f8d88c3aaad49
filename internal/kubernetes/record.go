// SPDX-License-Identifier: MPL-2.0

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
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

// typeRecord is the value of contract.KeyType on records.
const typeRecord = "record"

// The data keys of a record's ConfigMap.
const (
	recordKey = "record.json"
	sentKey   = "framework.json.gz"
	// declaredKey is the key of the front end's declaration. The declaration is
	// stored compressed, but otherwise unchanged.
	declaredKey = "declaration.gz"
)

// stored contains a record and the other data in the ConfigMap of the record.
type stored struct {
	cluster.Record
	// sent is the Framework spec that was last sent, or nil for an adopted
	// Framework.
	sent map[string]any
	// declaration is the job declaration from the front end, or nil.
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

func (c *Cluster) newRecord(s cluster.Submission, d *dependents, sent map[string]any) *stored {
	r := cluster.NewRecord(s, c.options.Now().UTC().Truncate(time.Second))
	r.RoleNames, r.Objects = map[string]string{}, d.ids()
	for _, role := range s.Job.TaskRoles {
		r.RoleNames[role.FrameworkName] = role.Name
	}
	if p := d.manifest.PriorityClass; p != nil {
		r.PriorityClass = p.Metadata.Name
	}
	if kept := d.manifest.Logs; kept != nil {
		r.Logs = &cluster.LogPlace{Storage: kept.Storage, Root: kept.Root, Path: s.Job.User + "/" + s.Job.Framework}
	}
	return &stored{Record: r, sent: sent, declaration: s.Declaration}
}

// saveRecord overwrites an existing record only if the record has not changed
// since the read.
func (c *Cluster) saveRecord(ctx context.Context, r *stored) error {
	c.takeDoomed(r.Framework) // its record changes
	kept := r.Record
	kept.Creating = false // stored as an annotation, so that a patch can remove it without reading the record
	text, err := json.Marshal(kept)
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
	if r.Creating {
		o.Metadata.Annotations[contract.AnnotationCreating] = "true"
	}
	o.BinaryData = map[string][]byte{}
	if r.sent != nil {
		o.BinaryData[sentKey] = pack(marshal(r.sent))
	}
	if len(r.declaration) > 0 {
		o.BinaryData[declaredKey] = pack(r.declaration)
	}
	return c.apply(ctx, api.ConfigMaps, o.Metadata.Name, o, true)
}

func ownLabels(workspace string, address hclspec.Address) map[string]string {
	return map[string]string{
		contract.LabelManagedBy: contract.ManagedBy,
		contract.KeyWorkspace:   contract.LabelValue(workspace),
		contract.KeyAddress:     contract.LabelValue(string(address)),
	}
}

// loadRecord reads the record of a Framework. It returns nil if the record
// does not exist.
func (c *Cluster) loadRecord(ctx context.Context, name string) (*stored, error) {
	var o recordObject
	err := c.get(ctx, api.ConfigMaps, contract.RecordConfigMap(name), &o)
	if api.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return readRecord(o)
}

func readRecord(o recordObject) (*stored, error) {
	decoded, err := cluster.DecodeRecord([]byte(o.Data[recordKey]))
	if err != nil {
		return nil, fmt.Errorf("read the record %s: %w", o.Metadata.Name, err)
	}
	r := &stored{Record: *decoded, meta: o.Metadata}
	r.Creating = o.Metadata.Annotations[contract.AnnotationCreating] != ""
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

// frameworkOf returns the name of the Framework to which a record's ConfigMap
// belongs.
func frameworkOf(name string) string { return strings.TrimSuffix(name, contract.RecordConfigMap("")) }

// forget removes the cached data of a record after a write.
func (c *Cluster) forget(framework string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.records, framework)
}
