// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// DecodeApplied decodes the canonical JSON of an applied job, for
// [LiveJob.Applied]. It preserves the spelling of numbers in free-form
// values.
func DecodeApplied(canonical []byte) (*resolve.Job, error) {
	d := json.NewDecoder(bytes.NewReader(canonical))
	d.UseNumber()
	job := &resolve.Job{}
	if err := d.Decode(job); err != nil {
		return nil, fmt.Errorf("decode the applied job: %w", err)
	}
	restoreNumbers(job)
	return job, nil
}

func restoreNumbers(job *resolve.Job) {
	numbers(job.Parameters)
	numbers(job.Extras)
	podNumbers(job.Pod)
	for _, role := range job.TaskRoles {
		podNumbers(role.Pod)
		for _, step := range role.Steps {
			numbers(step.Parameters)
		}
	}
}

func podNumbers(pod *hclspec.Pod) {
	if pod != nil {
		numbers(pod.Tolerations)
	}
}

// numbers replaces each json.Number with a [hclspec.Number], in place.
func numbers(value any) any {
	switch v := value.(type) {
	case json.Number:
		return hclspec.Number(v)
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	}
	return value
}

// applied contains the known fields of an applied job.
type applied struct {
	hashes  map[hclspec.Path]string
	objects map[hclspec.Path]bool // objects with a hashed field
	job     *resolve.Job          // as applied, or nil
	values  map[hclspec.Path]any  // values of job, computed on first use
}

// newApplied returns the known fields of a live job. It returns nil if the
// record contains neither hashes nor the applied job, or if this build does
// not support the hash version.
func newApplied(live *LiveJob) *applied {
	hashes := live.Fields
	if len(hashes) == 0 && live.Applied != nil {
		_, hashes = Hashes(live.Applied)
	}
	if len(hashes) == 0 || (live.Hash != "" && !strings.HasPrefix(live.Hash, hashPrefix)) {
		return nil
	}
	a := &applied{hashes: make(map[hclspec.Path]string, len(hashes)), objects: map[hclspec.Path]bool{}, job: live.Applied}
	for p, h := range hashes {
		a.hashes[hclspec.Path(p)] = h
		a.addObjects(hclspec.Path(p))
	}
	return a
}

// addObjects records each keyed object that contains the field.
func (a *applied) addObjects(field hclspec.Path) {
	for i := 1; i < len(field); i++ {
		if field[i] == '.' && field[i-1] == ']' {
			a.objects[field[:i]] = true
		}
	}
}

// value returns the value of a field with a hash, or false if the value is
// unknown. A value whose hash differs from the recorded hash is also unknown:
// its record or spelling differs.
func (a *applied) value(p hclspec.Path) (any, bool) {
	if a.values == nil {
		a.values = map[hclspec.Path]any{}
		if a.job != nil {
			a.know()
		}
	}
	v, known := a.values[p]
	return v, known
}

func (a *applied) know() {
	for _, l := range hashed(leaves(a.job)) {
		if a.hashes[l.path] == fieldHash(plainjson.MustMarshal(l.value)) {
			a.values[l.path] = l.value
		}
	}
}

// has reports whether an object, such as a task role, was applied. The record
// contains at least one field of every applied object. "" is the job.
func (a *applied) has(object hclspec.Path) bool { return object == "" || a.objects[object] }
