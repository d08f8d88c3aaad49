// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

// usageTimeout limits the duration of the request including its retries. The
// client retries the request while the metrics server is unavailable.
const usageTimeout = 10 * time.Second

// podMetrics is the part of a PodMetrics that openpai reads. Source:
// kubernetes/metrics: pkg/apis/metrics/v1beta1/types.go.
type podMetrics struct {
	Metadata   framework.ObjectMeta `json:"metadata"`
	Containers []struct {
		Usage struct {
			CPU    string `json:"cpu"`
			Memory string `json:"memory"`
		} `json:"usage"`
	} `json:"containers"`
}

// AddUsage implements cluster.UsageSource with one request to the metrics API.
func (c *Cluster) AddUsage(ctx context.Context, all []*cluster.Status) error {
	byPod := map[string]*cluster.TaskAttempt{}
	for _, st := range all {
		for _, a := range st.Measurable() {
			if a.Pod != "" {
				byPod[a.Pod] = a
			}
		}
	}
	if len(byPod) == 0 {
		return nil
	}
	client, err := c.connect()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, usageTimeout)
	defer cancel()
	selector := labelFramework
	if len(all) == 1 {
		selector += "=" + all[0].Framework
	}
	var list struct{ Items []podMetrics }
	err = client.Do(ctx, api.Request{
		Method: http.MethodGet, Path: api.PodMetrics.Path(c.namespace, ""),
		Query: url.Values{"labelSelector": {selector}}, What: "read the metrics of Pods",
	}, &list)
	if err != nil {
		return err
	}
	for _, m := range list.Items {
		if a := byPod[m.Metadata.Name]; a != nil {
			a.Usage = m.usage()
		}
	}
	return nil
}

// usage returns the total usage of the containers, or nil if a quantity is invalid.
func (m podMetrics) usage() *cluster.Usage {
	var u cluster.Usage
	for _, container := range m.Containers {
		cpu, err := resource.ParseQuantity(container.Usage.CPU)
		if err != nil {
			return nil
		}
		memory, err := resource.ParseQuantity(container.Usage.Memory)
		if err != nil {
			return nil
		}
		u.CPU += cpu.AsApproximateFloat64()
		u.Memory += memory.Value()
	}
	return &u
}
