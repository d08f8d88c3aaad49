// SPDX-License-Identifier: MPL-2.0

package barrier

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// frameworkObject is the part of a Framework that contains the state and address of
// each task. Source: microsoft/frameworkcontroller:
// pkg/apis/frameworkcontroller/v1/types.go.
type frameworkObject struct {
	Metadata struct {
		Name            string `json:"name"`
		ResourceVersion string `json:"resourceVersion"`
	} `json:"metadata"`
	Spec struct {
		TaskRoles []roleSpec `json:"taskRoles"`
	} `json:"spec"`
	Status *struct {
		Attempt struct {
			ID          int          `json:"id"`
			InstanceUID *string      `json:"instanceUID"`
			Roles       []roleStatus `json:"taskRoleStatuses"`
			// Compressed is the JSON of Roles, compressed with gzip and encoded
			// in base64.
			Compressed []byte `json:"taskRoleStatusesCompressed"`
		} `json:"attemptStatus"`
	} `json:"status"`
}

type roleSpec struct {
	Name       string `json:"name"`
	TaskNumber int    `json:"taskNumber"`
	Task       struct {
		Pod struct {
			Metadata struct {
				Annotations map[string]string `json:"annotations"`
			} `json:"metadata"`
		} `json:"pod"`
	} `json:"task"`
}

type roleStatus struct {
	Name  string       `json:"name"`
	Tasks []taskStatus `json:"taskStatuses"`
}

type taskStatus struct {
	Index           int    `json:"index"`
	State           string `json:"state"`
	DeletionPending bool   `json:"deletionPending"`
	Attempt         struct {
		PodUID     *string `json:"podUID"`
		NodeName   *string `json:"podNodeName"`
		PodIP      *string `json:"podIP"`
		PodHostIP  *string `json:"podHostIP"`
		Completion *struct {
			Code        int    `json:"code"`
			Phrase      string `json:"phrase"`
			Diagnostics string `json:"diagnostics"`
			Type        struct {
				Name string `json:"name"`
			} `json:"type"`
		} `json:"completionStatus"`
	} `json:"attemptStatus"`
}

// attempt returns the instance UID of the Framework attempt that the status
// describes.
func (f *frameworkObject) attempt() string {
	if f.Status == nil || f.Status.Attempt.InstanceUID == nil {
		return ""
	}
	return *f.Status.Attempt.InstanceUID
}

func (f *frameworkObject) roles() ([]roleStatus, error) {
	if f.Status == nil {
		return nil, nil
	}
	if len(f.Status.Attempt.Compressed) == 0 {
		return f.Status.Attempt.Roles, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(f.Status.Attempt.Compressed))
	if err != nil {
		return nil, fmt.Errorf("decompress the status of Framework %s: %w", f.Metadata.Name, err)
	}
	var all []roleStatus
	if err := json.NewDecoder(io.LimitReader(z, 256<<20)).Decode(&all); err != nil {
		return nil, fmt.Errorf("decompress the status of Framework %s: %w", f.Metadata.Name, err)
	}
	return all, nil
}

// snapshot contains the present and the missing tasks in one state of the
// Framework.
type snapshot struct {
	table   *Table
	total   int
	missing []string // "worker[3] (its Pod is not on a node yet)"
}

// maxTasks is the maximum number of tasks that the CRD permits in a role. Source:
// microsoft/frameworkcontroller: pkg/apis/frameworkcontroller/v1/crd.go.
const maxTasks = 10000

func (f *frameworkObject) snapshot(attempt string) (snapshot, error) {
	v := snapshot{table: &Table{}}
	roles, err := f.roles()
	if err != nil {
		return v, err
	}
	current := attempt == "" || f.attempt() == attempt
	for _, spec := range f.Spec.TaskRoles {
		if spec.TaskNumber < 0 || spec.TaskNumber > maxTasks {
			return v, fmt.Errorf("the task role %s of Framework %s has %d tasks; at most %d are allowed", spec.Name, f.Metadata.Name, spec.TaskNumber, maxTasks)
		}
		v.total += spec.TaskNumber
		byIndex := map[int]*taskStatus{}
		for i := range roles {
			if roles[i].Name != spec.Name || !current {
				continue
			}
			for k := range roles[i].Tasks {
				byIndex[roles[i].Tasks[k].Index] = &roles[i].Tasks[k]
			}
		}
		role := Role{Name: spec.Name}
		for i := range spec.TaskNumber {
			t := byIndex[i]
			if why := t.missingReason(); why != "" {
				v.missing = append(v.missing, fmt.Sprintf("%s[%d] (%s)", spec.Name, i, why))
				continue
			}
			role.Members = append(role.Members, t.member())
		}
		v.table.Roles = append(v.table.Roles, role)
	}
	return v, nil
}

func (t *taskStatus) member() Member {
	m := Member{Index: t.Index, IP: *t.Attempt.PodIP, PodUID: *t.Attempt.PodUID, NodeIP: *t.Attempt.PodIP}
	if isSet(t.Attempt.PodHostIP) {
		m.NodeIP = *t.Attempt.PodHostIP
	}
	return m
}

// missingReason returns "" if the task is present. A task that has already
// succeeded is present.
func (t *taskStatus) missingReason() string {
	switch {
	case t == nil:
		return "not created yet"
	case t.DeletionPending:
		return "being deleted"
	}
	if c := t.Attempt.Completion; c != nil && c.Type.Name != "Succeeded" {
		return strings.TrimSpace(fmt.Sprintf("failed with code %d %s", c.Code, c.Phrase))
	}
	switch {
	case !isSet(t.Attempt.PodUID):
		return "its Pod has not been created yet"
	case isSet(t.Attempt.PodIP):
		return ""
	case isSet(t.Attempt.NodeName):
		return "starting on node " + *t.Attempt.NodeName + ", which may still be pulling the image"
	default:
		return "its Pod is not on a node yet: unscheduled"
	}
}

func isSet(s *string) bool { return s != nil && *s != "" }
