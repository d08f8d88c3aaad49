// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"encoding/json"
	"fmt"
)

// clusterDefaults contains the settings that change the content of jobs: the
// default times, and the settings for HiveD's cells.
type clusterDefaults struct {
	MaxRunTime      Duration                 `json:"max_run_time,omitempty"`
	MaxWaitTime     Duration                 `json:"max_wait_time,omitempty"`
	SKUs            []skuSize                `json:"skus,omitempty"`
	VirtualClusters []virtualClusterDefaults `json:"virtual_clusters,omitempty"`
}

type skuSize struct {
	Name     string `json:"name"`
	GPU      int    `json:"gpu"`
	CPU      int    `json:"cpu"`
	MemoryMB int    `json:"memory_mb"`
}

type virtualClusterDefaults struct {
	Name  string         `json:"name"`
	Quota map[string]int `json:"quota,omitempty"`
}

// Defaults returns, as JSON, the settings that jobs inherit from the cluster block.
func (c *Cluster) Defaults() json.RawMessage {
	d := clusterDefaults{MaxRunTime: c.MaxRunTime, MaxWaitTime: c.MaxWaitTime}
	for _, s := range c.SKUs {
		d.SKUs = append(d.SKUs, skuSize{s.Name, s.GPU, s.CPU, s.Memory})
	}
	for _, v := range c.VirtualClusters {
		d.VirtualClusters = append(d.VirtualClusters, virtualClusterDefaults{v.Name, v.Quota})
	}
	text, err := json.Marshal(d)
	if err != nil {
		panic("hclspec: " + err.Error()) // strings and integers always marshal
	}
	return text
}

// SetDefaults replaces the default settings of the cluster. text has the
// format that [Cluster.Defaults] returns.
func (c *Cluster) SetDefaults(text json.RawMessage) error {
	var d clusterDefaults
	if err := json.Unmarshal(text, &d); err != nil {
		return fmt.Errorf("decode the defaults of %s: %w", c.Address(), err)
	}
	c.MaxRunTime, c.MaxWaitTime, c.SKUs, c.VirtualClusters = d.MaxRunTime, d.MaxWaitTime, nil, nil
	for _, s := range d.SKUs {
		c.SKUs = append(c.SKUs, &SKU{Name: s.Name, GPU: s.GPU, CPU: s.CPU, Memory: s.MemoryMB})
	}
	for _, v := range d.VirtualClusters {
		c.VirtualClusters = append(c.VirtualClusters, &VirtualCluster{Name: v.Name, Quota: v.Quota})
	}
	return nil
}
