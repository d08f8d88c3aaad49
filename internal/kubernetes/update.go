// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

// Update implements cluster.Cluster. It reverts changes that other programs made
// to the last sent version of the Framework. It also applies the changes that can
// be made in place. It writes the record last: after an interruption, the next
// plan contains the changes again.
func (c *Cluster) Update(ctx context.Context, s cluster.Submission) error {
	d, err := c.dependents(s)
	if err != nil {
		return err
	}
	name := s.Job.Framework
	before, err := c.loadRecord(ctx, name)
	if err != nil {
		return err
	}
	live, err := c.liveFramework(ctx, name)
	if err != nil {
		return err
	}
	if err := c.checkOwner("Framework "+name, live.Metadata.ObjectMeta); err != nil {
		return err
	}
	d.setOwner(live.Metadata.UID)
	if err := c.applyOwned(ctx, d, s.Secrets != nil); err != nil {
		return err
	}
	sent := inPlace(before, d.manifest.Framework.Spec)
	if patch := changes(live, d.manifest.Framework, sent); len(patch) > 0 {
		if err := c.patchFramework(ctx, name, "change", append(unchanged(live), patch...)); err != nil {
			return err
		}
	}
	c.forget(name)
	return c.saveRecord(ctx, c.renewed(s, d, sent, before))
}

// renewed returns the record after an in-place change. It keeps the outcome
// of the job.
func (c *Cluster) renewed(s cluster.Submission, d *dependents, sent map[string]any, before *stored) *stored {
	r := c.newRecord(s, d, sent)
	if before != nil {
		r.KeepOutcome(&before.Record)
		r.meta, r.PriorityClass = before.meta, before.PriorityClass // the Pods still have their PriorityClass
	}
	return r
}

// liveFramework is a Framework as stored in the cluster, including fields that
// openpai does not know.
type liveFramework struct {
	Metadata liveMeta          `json:"metadata"`
	Spec     json.RawMessage   `json:"spec"`
	Status   *framework.Status `json:"status"`
}

type liveMeta struct {
	framework.ObjectMeta
	ManagedFields []managedFields `json:"managedFields"`
}

// typed returns the Framework without spec fields that framework.Framework
// does not have.
func (l *liveFramework) typed() (*framework.Framework, error) {
	fw := &framework.Framework{Metadata: l.Metadata.ObjectMeta, Status: l.Status}
	if err := json.Unmarshal(l.Spec, &fw.Spec); err != nil {
		return nil, fmt.Errorf("read the spec of Framework %s: %w", l.Metadata.Name, err)
	}
	return fw, nil
}

func (c *Cluster) liveFramework(ctx context.Context, name string) (*liveFramework, error) {
	var l liveFramework
	if err := c.get(ctx, api.Frameworks, name, &l); err != nil {
		return nil, err
	}
	return &l, nil
}

// inPlace returns the wanted spec in normal form, with the last sent Pod
// templates. An update must not change the templates, even if this version of
// openpai would write different ones.
func inPlace(before *stored, wanted framework.Spec) map[string]any {
	next := normalSpec(wanted)
	if before == nil || before.sent == nil {
		return next
	}
	old := maps.Clone(before.sent)
	templates := map[any]any{}
	for _, role := range list(old["taskRoles"]) {
		templates[role["name"]] = dig(role, "task", "pod")
	}
	for _, role := range list(next["taskRoles"]) {
		if pod, known := templates[role["name"]]; known {
			role["task"].(map[string]any)["pod"] = pod
		}
	}
	return next
}

// unchanged returns test operations that fail if the Framework or its task
// roles were replaced after live was read.
func unchanged(live *liveFramework) []operation {
	tests := []operation{test("/metadata/uid", live.Metadata.UID)}
	for i, role := range list(normalSpec(live.Spec)["taskRoles"]) {
		tests = append(tests, test(fmt.Sprintf("/spec/taskRoles/%d/name", i), role["name"]))
	}
	return tests
}

// changes keeps labels and annotations that other programs set.
func changes(live *liveFramework, wanted *framework.Framework, sent map[string]any) []operation {
	var patch []operation
	patch = append(patch, entries("/metadata/labels", live.Metadata.Labels, wanted.Metadata.Labels)...)
	patch = append(patch, entries("/metadata/annotations", live.Metadata.Annotations, wanted.Metadata.Annotations)...)
	now := normalSpec(live.Spec)
	for _, field := range []string{"description", "retryPolicy"} {
		if !cluster.SameJSON(now[field], sent[field]) {
			patch = append(patch, add("/spec/"+field, orEmpty(field, sent[field])))
		}
	}
	was, roles := list(now["taskRoles"]), list(sent["taskRoles"])
	if !slices.EqualFunc(was, roles, func(a, b map[string]any) bool { return a["name"] == b["name"] }) {
		return append(patch, replace("/spec/taskRoles", sent["taskRoles"]))
	}
	for i := range roles {
		if !cluster.SameJSON(was[i], roles[i]) {
			patch = append(patch, roleChanges(i, was[i], roles[i])...)
		}
	}
	return patch
}

// roleChanges writes absent numbers as 0.
func roleChanges(index int, was, is map[string]any) []operation {
	var patch []operation
	at := fmt.Sprintf("/spec/taskRoles/%d/", index)
	for _, field := range []string{"taskNumber", "frameworkAttemptCompletionPolicy", "task"} {
		if !cluster.SameJSON(was[field], is[field]) {
			patch = append(patch, add(at+field, orEmpty(field, is[field])))
		}
	}
	return patch
}

// orEmpty returns value. If value is nil, orEmpty returns "", 0 or an empty
// map, depending on the field.
func orEmpty(field string, value any) any {
	switch {
	case value != nil:
		return value
	case field == "description":
		return ""
	case field == "taskNumber":
		return 0
	}
	return map[string]any{}
}

func entries(path string, was, is map[string]string) []operation {
	var patch []operation
	if len(was) == 0 && len(is) > 0 {
		return []operation{add(path, is)}
	}
	for _, key := range slices.Sorted(maps.Keys(is)) {
		if value, there := was[key]; !there || value != is[key] {
			patch = append(patch, add(path+"/"+pointerKey(key), is[key]))
		}
	}
	return patch
}

func list(value any) []map[string]any {
	var all []map[string]any
	elements, _ := value.([]any)
	for _, e := range elements {
		m, _ := e.(map[string]any)
		all = append(all, m)
	}
	return all
}

func dig(m map[string]any, keys ...string) any {
	for i, k := range keys {
		if i == len(keys)-1 {
			return m[k]
		}
		m, _ = m[k].(map[string]any)
	}
	return nil
}
