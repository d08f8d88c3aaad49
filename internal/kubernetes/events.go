// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

// event is the part of a Kubernetes Event that openpai reads. Older and newer
// event sources set different time fields of an Event.
type event struct {
	InvolvedObject struct{ Kind, Name string } `json:"involvedObject"`
	Type           string                      `json:"type"`
	Reason         string                      `json:"reason"`
	Message        string                      `json:"message"`
	Count          int                         `json:"count"`
	LastTimestamp  *time.Time                  `json:"lastTimestamp"`
	EventTime      *time.Time                  `json:"eventTime"`
	Metadata       struct {
		CreationTimestamp time.Time `json:"creationTimestamp"`
	} `json:"metadata"`
}

// Events implements cluster.EventSource. It returns events of the Framework,
// and of objects such as Pods whose names begin with the Framework's name.
func (c *Cluster) Events(ctx context.Context, name string) ([]cluster.Event, error) {
	found, err := listAll[event](ctx, c, api.Events, url.Values{}, "", 0)
	if err != nil {
		return nil, err
	}
	all := []cluster.Event{}
	for _, e := range found {
		if o := e.InvolvedObject; o.Name == name || strings.HasPrefix(o.Name, name+"-") {
			all = append(all, cluster.Event{Last: e.last(), Count: max(e.Count, 1), Type: e.Type, Object: o.Kind + " " + o.Name, Reason: e.Reason, Message: e.Message})
		}
	}
	slices.SortStableFunc(all, func(a, b cluster.Event) int { return a.Last.Compare(b.Last) })
	return all, nil
}

func (e event) last() time.Time {
	switch {
	case e.LastTimestamp != nil:
		return *e.LastTimestamp
	case e.EventTime != nil:
		return *e.EventTime
	}
	return e.Metadata.CreationTimestamp
}
