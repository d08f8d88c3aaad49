// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"cmp"
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// pod is the part of a Pod that openpai reads.
type pod struct {
	Metadata framework.ObjectMeta `json:"metadata"`
	Spec     struct {
		NodeName string `json:"nodeName"`
	} `json:"spec"`
	Status struct {
		Phase      string `json:"phase"`
		Reason     string `json:"reason"`
		Message    string `json:"message"`
		Conditions []struct {
			Type    string `json:"type"`
			Status  string `json:"status"`
			Reason  string `json:"reason"`
			Message string `json:"message"`
		} `json:"conditions"`
		InitContainers []containerStatus `json:"initContainerStatuses"`
		Containers     []containerStatus `json:"containerStatuses"`
	} `json:"status"`
}

type containerStatus struct {
	Name    string `json:"name"`
	ImageID string `json:"imageID"`
	State   struct {
		Waiting *struct {
			Reason  string `json:"reason"`
			Message string `json:"message"`
		} `json:"waiting"`
		Running *struct {
			StartedAt time.Time `json:"startedAt"`
		} `json:"running"`
		Terminated *struct {
			ExitCode   int32     `json:"exitCode"`
			Signal     int32     `json:"signal"`
			Reason     string    `json:"reason"`
			Message    string    `json:"message"`
			StartedAt  time.Time `json:"startedAt"`
			FinishedAt time.Time `json:"finishedAt"`
		} `json:"terminated"`
	} `json:"state"`
}

// podsOf returns the Pods by name. It reads Pods only if a task is waiting,
// because the Framework does not contain the reason.
func (c *Cluster) podsOf(ctx context.Context, fw *framework.Framework) (map[string]*pod, error) {
	if !hasWaiting(fw) {
		return nil, nil
	}
	q := url.Values{"labelSelector": {labelFramework + "=" + fw.Metadata.Name}, "resourceVersion": {"0"}}
	found, err := listAll[*pod](ctx, c, api.Pods, q, "", 0)
	if err := ignoreForbidden(err); err != nil {
		return nil, err
	}
	byName := map[string]*pod{}
	for _, p := range found {
		byName[p.Metadata.Name] = p
	}
	return byName, nil
}

func hasWaiting(fw *framework.Framework) bool {
	statuses, err := roleStatuses(fw)
	if err != nil {
		return false
	}
	for _, role := range statuses {
		for _, t := range role.TaskStatuses {
			if t.State == framework.StateAttemptPreparing || t.State == framework.StateAttemptCreationRequested {
				return true
			}
		}
	}
	return false
}

// stage returns the stage of a Pod whose task has not started. The stage
// contains the reason for the wait, unless an init container is running.
func (p *pod) stage() *stage.Record {
	r := &stage.Record{Version: stage.Version, Stage: stage.Scheduling}
	for _, c := range p.Status.Conditions {
		switch {
		case c.Type == "PodScheduled" && c.Status == "False":
			r.Reason = p.waiting()
			return r
		case c.Type == "PodScheduled":
			r.Stage = stage.Preparing
		}
	}
	for _, c := range p.Status.InitContainers {
		if c.State.Running != nil {
			r.Stage, r.Since = stage.Preparing, c.State.Running.StartedAt
			return r
		}
	}
	r.Reason = p.waiting()
	return r
}

// waiting returns the reason why the task waits: no node fits, an image cannot
// be pulled, or the tasks wait for each other.
func (p *pod) waiting() string {
	for _, c := range p.Status.Conditions {
		if c.Type == "PodScheduled" && c.Status == "False" {
			return "not scheduled: " + cmp.Or(c.Message, c.Reason)
		}
	}
	for _, c := range append(p.Status.InitContainers, p.Status.Containers...) {
		switch {
		case c.State.Running != nil && c.Name != appContainer:
			return "preparing, or waiting for the other tasks"
		case c.State.Waiting != nil && c.State.Waiting.Reason != "PodInitializing":
			return explainWaiting(c)
		}
	}
	return cmp.Or(p.Status.Message, p.Status.Reason)
}

func explainWaiting(c containerStatus) string {
	w := c.State.Waiting
	text := w.Reason
	if strings.Contains(w.Reason, "Image") || strings.HasPrefix(w.Reason, "ErrImage") {
		text = "the image of the container " + c.Name + " cannot be pulled (" + w.Reason + ")"
	}
	if w.Reason == "ContainerCreating" {
		text = "the containers are being created"
	}
	if w.Message != "" {
		text += ": " + w.Message
	}
	return text
}
