// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

var (
	_ cluster.RunStore  = (*Cluster)(nil)
	_ cluster.Forgetful = (*Cluster)(nil)
)

// typeHistory is the value of the label contract.KeyType on history ConfigMaps.
// The other constants are the data keys of the runs and counters.
const (
	typeHistory = "history"
	runKey      = "run.json.gz"
	countersKey = "counters.json"
)

// historyBytes is the default limit for the total size of a workspace's runs.
// maxRunBytes is the maximum size of one run.
const (
	historyBytes = 32 << 20
	maxRunBytes  = 512 << 10
)

// ForgetsJobs implements cluster.Forgetful: FrameworkController removes finished
// Frameworks, and logs are deleted with the Pods.
func (c *Cluster) ForgetsJobs() bool { return true }

// RunLimits implements cluster.RunStore.
func (c *Cluster) RunLimits() history.Limits { return history.Limits{Bytes: historyBytes} }

func countersName(workspace string) string { return keyName(workspace) + "-history" }

// historySelector selects the runs and the counters of a workspace.
func historySelector(workspace string) url.Values {
	return url.Values{"labelSelector": {workspaceSelector(workspace).Get("labelSelector") + "," + typeSelector(typeHistory).Get("labelSelector")}}
}

// withoutHistory selects the objects of a workspace that are not part of its
// history.
func withoutHistory(workspace string) url.Values {
	return url.Values{"labelSelector": {workspaceSelector(workspace).Get("labelSelector") + "," + contract.KeyType + "!=" + typeHistory}}
}

// Counters implements cluster.RunStore.
func (c *Cluster) Counters(ctx context.Context, workspace string) (*history.Counters, error) {
	var o recordObject
	err := c.get(ctx, api.ConfigMaps, countersName(workspace), &o)
	if api.IsNotFound(err) {
		return &history.Counters{}, nil
	}
	if err != nil {
		return nil, err
	}
	counters, err := history.DecodeCounters("ConfigMap "+o.Metadata.Name, workspace, []byte(o.Data[countersKey]))
	if err != nil {
		return nil, err
	}
	counters.Revision = revisionOf(o.Metadata)
	return counters, nil
}

// revisionOf returns the revision of counters. The revision contains the UID,
// because an update without a UID recreates a deleted object.
func revisionOf(meta framework.ObjectMeta) string { return meta.UID + "@" + meta.ResourceVersion }

// SaveCounters implements cluster.RunStore. The API server rejects the write if
// the resource version is outdated.
func (c *Cluster) SaveCounters(ctx context.Context, workspace string, counters *history.Counters) error {
	name := countersName(workspace)
	if len(counters.Last) == 0 {
		counters.Revision = ""
		return c.removeConfigMap(ctx, name)
	}
	o := recordObject{
		APIVersion: "v1", Kind: "ConfigMap", Data: map[string]string{countersKey: string(counters.Encode(workspace))},
		Metadata: c.historyMeta(name, workspace),
	}
	write := c.postConfigMap
	if counters.Revision != "" {
		o.Metadata.UID, o.Metadata.ResourceVersion, _ = strings.Cut(counters.Revision, "@")
		write = c.applyConfigMap
	}
	written, err := write(ctx, o)
	if apierrors.IsAlreadyExists(err) || apierrors.IsConflict(err) || api.IsNotFound(err) {
		return cluster.ErrCountersChanged
	}
	counters.Revision = revisionOf(written)
	return err
}

// postConfigMap creates a ConfigMap. It fails if an object with the name
// exists.
func (c *Cluster) postConfigMap(ctx context.Context, o recordObject) (written framework.ObjectMeta, err error) {
	var h api.Header
	err = c.do(ctx, api.Request{
		Method: http.MethodPost, Path: api.ConfigMaps.Path(c.namespace, ""), ContentType: api.TypeJSON, Accept: api.MetadataOnly, Body: o,
		Query: url.Values{"fieldManager": {api.FieldManager}}, What: "create ConfigMap " + o.Metadata.Name,
	}, &h)
	return h.Metadata, err
}

// applyConfigMap creates or updates a ConfigMap. It fails if o has a resource
// version that is no longer current.
func (c *Cluster) applyConfigMap(ctx context.Context, o recordObject) (written framework.ObjectMeta, err error) {
	var h api.Header
	err = c.do(ctx, api.Request{
		Method: http.MethodPatch, Path: api.ConfigMaps.Path(c.namespace, o.Metadata.Name), ContentType: api.TypeApply, Accept: api.MetadataOnly, Body: o,
		Query: url.Values{"fieldManager": {api.FieldManager}, "force": {"true"}}, What: "apply ConfigMap " + o.Metadata.Name,
	}, &h)
	return h.Metadata, err
}

func (c *Cluster) historyMeta(name, workspace string) framework.ObjectMeta {
	return framework.ObjectMeta{
		Name: name, Namespace: c.namespace,
		Labels: map[string]string{
			contract.LabelManagedBy: contract.ManagedBy, contract.KeyType: typeHistory, contract.KeyWorkspace: contract.LabelValue(workspace),
		},
		Annotations: map[string]string{contract.KeyWorkspace: workspace},
	}
}

// removeConfigMap succeeds if the ConfigMap does not exist.
func (c *Cluster) removeConfigMap(ctx context.Context, name string) error {
	h, err := c.getHeader(ctx, api.ConfigMaps, name)
	if h == nil || err != nil {
		return err
	}
	if err := c.checkOwner("ConfigMap "+name, h.Metadata); err != nil {
		return err
	}
	return c.removeVersion(ctx, api.ConfigMaps, h.Metadata, "Background")
}

// runOf returns false if the ConfigMap does not contain a run of the workspace.
func runOf(meta framework.ObjectMeta, workspace string) (history.Key, bool) {
	name, number, ok := contract.ParseHistoryConfigMap(meta.Name)
	k := history.Key{Framework: name, Number: number, Short: history.ShortUID(meta.Annotations[contract.AnnotationRunUID])}
	return k, ok && meta.Annotations[contract.KeyWorkspace] == workspace
}

// RunSizes implements cluster.RunStore.
func (c *Cluster) RunSizes(ctx context.Context, workspace string) ([]history.Size, error) {
	headers, err := listHeaders(ctx, c, api.ConfigMaps, historySelector(workspace), 0)
	if err != nil {
		return nil, err
	}
	var all []history.Size
	for _, h := range headers {
		k, ok := runOf(h.Metadata, workspace)
		if !ok {
			continue
		}
		size := history.Size{Key: k, Address: hclspec.Address(h.Metadata.Annotations[contract.KeyAddress])}
		size.Bytes, _ = strconv.ParseInt(h.Metadata.Annotations[contract.AnnotationRunBytes], 10, 64)
		if h.Metadata.CreationTimestamp != nil {
			size.Order, size.At = h.Metadata.CreationTimestamp.Unix(), *h.Metadata.CreationTimestamp
		}
		all = append(all, size)
		c.rememberRun(h.Metadata)
	}
	return all, nil
}

// rememberRun caches the UID of a document. RemoveRun can then remove the
// document without another read.
func (c *Cluster) rememberRun(meta framework.ObjectMeta) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.documents[meta.Name] = meta.UID
}

// forgetRun removes the UID of a document from the cache and returns the UID,
// or "" if it is unknown.
func (c *Cluster) forgetRun(name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	uid := c.documents[name]
	delete(c.documents, name)
	return uid
}

// Run implements cluster.RunStore.
func (c *Cluster) Run(ctx context.Context, workspace string, k history.Key) (*history.Run, error) {
	var o recordObject
	if err := c.get(ctx, api.ConfigMaps, contract.HistoryConfigMap(k.Framework, k.Number), &o); err != nil {
		return nil, err
	}
	if found, ok := runOf(o.Metadata, workspace); !ok || found != k {
		return nil, cluster.NotFound("the history has no run %s", k)
	}
	return readRun(o)
}

func readRun(o recordObject) (*history.Run, error) {
	name := "ConfigMap " + o.Metadata.Name
	text, err := unpack(o.BinaryData[runKey])
	if err != nil {
		return nil, &history.FormatError{Name: name, Err: fmt.Errorf("it is damaged: %w", err)}
	}
	return history.Decode(name, text)
}

// Runs implements cluster.RunStore.
func (c *Cluster) Runs(ctx context.Context, workspace string) ([]*history.Run, error) {
	objects, err := listAll[recordObject](ctx, c, api.ConfigMaps, historySelector(workspace), "", 0)
	if err != nil {
		return nil, err
	}
	var all []*history.Run
	var errs []error
	for _, o := range objects {
		if _, ok := runOf(o.Metadata, workspace); !ok {
			continue
		}
		r, err := readRun(o)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, r)
	}
	return all, errors.Join(errs...)
}

// SaveRun implements cluster.RunStore. It returns cluster.ErrRunTaken if
// another run has the same Framework name and number.
func (c *Cluster) SaveRun(ctx context.Context, r *history.Run) error {
	if _, err := c.connect(); err != nil {
		return err
	}
	packed, err := packRun(r)
	if err != nil {
		return err
	}
	name := contract.HistoryConfigMap(r.Framework, r.Number)
	o := recordObject{APIVersion: "v1", Kind: "ConfigMap", Metadata: c.historyMeta(name, r.Workspace), BinaryData: map[string][]byte{runKey: packed}}
	o.Metadata.Annotations[contract.KeyAddress] = string(r.Address)
	o.Metadata.Annotations[contract.AnnotationRunUID] = r.UID
	o.Metadata.Annotations[contract.AnnotationRunBytes] = strconv.Itoa(len(packed))
	if r.Outcome == nil { // usually a new run, which requires only one request
		written, err := c.postConfigMap(ctx, o)
		if err == nil {
			c.rememberRun(written)
		}
		if !apierrors.IsAlreadyExists(err) {
			return err
		}
	}
	h, err := c.getHeader(ctx, api.ConfigMaps, name)
	if err != nil {
		return err
	}
	if h != nil {
		if found, ok := runOf(h.Metadata, r.Workspace); !ok || found != r.Key() {
			return fmt.Errorf("ConfigMap %s: %w", name, cluster.ErrRunTaken)
		}
	}
	return c.apply(ctx, api.ConfigMaps, name, o, true)
}

// packRun encodes a run. It drops parts of the run until the result fits into
// a ConfigMap.
func packRun(r *history.Run) ([]byte, error) {
	for kept := range r.Shorter() {
		if packed := pack(kept.Encode()); len(packed) <= maxRunBytes {
			return packed, nil
		}
	}
	return nil, fmt.Errorf("store the record of %s: the compressed record exceeds %d bytes", r.Reference(), maxRunBytes)
}

// RemoveRun implements cluster.RunStore. The logs are part of the record.
func (c *Cluster) RemoveRun(ctx context.Context, workspace string, k history.Key, logsOnly bool) error {
	if !logsOnly {
		name := contract.HistoryConfigMap(k.Framework, k.Number)
		if uid := c.forgetRun(name); uid != "" {
			return c.removeVersion(ctx, api.ConfigMaps, framework.ObjectMeta{Name: name, Namespace: c.namespace, UID: uid}, "Background")
		}
		return c.removeConfigMap(ctx, name)
	}
	r, err := c.Run(ctx, workspace, k)
	if err != nil {
		return err
	}
	r.Omit(history.PartLogs)
	return c.SaveRun(ctx, r)
}

// RunLog implements cluster.RunStore.
func (c *Cluster) RunLog(_ context.Context, _ *history.Run, l history.Log, w io.Writer) error {
	_, err := io.WriteString(w, l.Tail)
	return err
}
