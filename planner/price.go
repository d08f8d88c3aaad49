// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"math"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Prices are integers in millionths, so that a sum does not depend on the
// order of its terms.
const millionths = 1_000_000

// pricePerHour returns the hourly price of a role's tasks, in millionths, or 0 if
// no price is declared. A role without a SKU uses the cluster's SKU if the
// cluster has exactly one.
func pricePerHour(c *hclspec.Cluster, name string, role *resolve.TaskRole) int64 {
	sku := skuOf(c, name)
	if sku == nil {
		return 0
	}
	price, err := strconv.ParseFloat(sku.PricePerHour, 64)
	if err != nil {
		return 0
	}
	units := max(unitsOf(role.GPU, sku.GPU), unitsOf(role.CPU, sku.CPU), unitsOf(role.MemoryMB, sku.Memory), 1)
	return int64(math.Round(price*millionths)) * int64(units) * int64(role.Instances)
}

func skuOf(c *hclspec.Cluster, name string) *hclspec.SKU {
	if c == nil {
		return nil
	}
	if name == "" && len(c.SKUs) == 1 {
		return c.SKUs[0]
	}
	for _, sku := range c.SKUs {
		if sku.Name == name {
			return sku
		}
	}
	return nil
}

// unitsOf returns the SKU units for an amount of a resource, or 0 if the SKU does
// not declare the resource.
func unitsOf(amount, offered int) int {
	if offered <= 0 {
		return 0
	}
	return (amount + offered - 1) / offered
}

// cluster returns nil if no declared cluster has the name.
func (p *planning) cluster(name string) *hclspec.Cluster {
	for _, c := range p.o.Clusters {
		if c.Name == name {
			return c
		}
	}
	return nil
}
