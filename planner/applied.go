package planner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// DecodeApplied reads the canonical JSON of a resolved job as it was applied,
// for [LiveJob.Applied]. Numbers in free values keep their spelling.
func DecodeApplied(canonical []byte) (*resolve.Job, error) {
	d := json.NewDecoder(bytes.NewReader(canonical))
	d.UseNumber()
	job := &resolve.Job{}
	if err := d.Decode(job); err != nil {
		return nil, fmt.Errorf("decode the job as applied: %w", err)
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

// numbers replaces each json.Number in a free value by a [hclspec.Number], in
// place, and returns the value.
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

// applied is what is known of the fields of a job as it was applied.
type applied struct {
	hashes map[hclspec.Path]string
	values map[hclspec.Path]any // where the value is known
}

// newApplied returns nil when the record does not say what was applied, or
// was made in a way that this build cannot compare with.
func newApplied(live *LiveJob) *applied {
	hashes := live.Fields
	if len(hashes) == 0 && live.Applied != nil {
		_, hashes = Hashes(live.Applied)
	}
	if len(hashes) == 0 || (live.Hash != "" && !strings.HasPrefix(live.Hash, hashPrefix)) {
		return nil
	}
	a := &applied{hashes: make(map[hclspec.Path]string, len(hashes)), values: map[hclspec.Path]any{}}
	for p, h := range hashes {
		a.hashes[hclspec.Path(p)] = h
	}
	if live.Applied != nil {
		a.know(live.Applied)
	}
	return a
}

// know keeps the values of a job whose hashes are those of the record. Values
// that were kept elsewhere, or read back in another spelling, are not shown.
func (a *applied) know(job *resolve.Job) {
	for _, l := range hashed(leaves(job)) {
		if a.hashes[l.path] == fieldHash(canonicalJSON(l.value)) {
			a.values[l.path] = l.value
		}
	}
}

// has reports whether an object, such as a task role, was applied: some field
// of it was.
func (a *applied) has(object hclspec.Path) bool {
	if object == "" {
		return true
	}
	for p := range a.hashes {
		if strings.HasPrefix(string(p), string(object)+".") {
			return true
		}
	}
	return false
}
