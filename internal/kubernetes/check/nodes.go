// SPDX-License-Identifier: MPL-2.0

package check

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner/render"
)

// workerLabel is the label that OpenPAI uses for worker nodes. Source:
// microsoft/pai: src/rest-server/src/models/v2/job/k8s.js.
const workerLabel = "pai-worker"

type node struct {
	Metadata struct {
		Name   string
		Labels map[string]string
	}
	Spec   struct{ Unschedulable bool }
	Status struct {
		Allocatable map[string]string
		Conditions  []struct{ Type, Status string }
	}
}

// usable reports whether new Pods can be scheduled on the node.
func (n node) usable() bool {
	return !n.Spec.Unschedulable && slices.Contains(n.Status.Conditions, struct{ Type, Status string }{"Ready", "True"})
}

func (c *checker) checkNodes(ctx context.Context, n needs) []cluster.CheckResult {
	all, err := api.List[node](ctx, c.Client, api.Nodes, nil, "", 0)
	if err != nil {
		return []cluster.CheckResult{unknown("nodes", err)}
	}
	return evaluateNodes(all, n)
}

func evaluateNodes(nodes []node, n needs) []cluster.CheckResult {
	usable := slices.DeleteFunc(slices.Clone(nodes), func(n node) bool { return !n.usable() })
	f := cluster.CheckResult{Check: "nodes", Result: cluster.ResultOK, Found: fmt.Sprintf("%d of %d are ready", len(usable), len(nodes))}
	if len(usable) == 0 {
		f.Result, f.Advice = cluster.ResultMissing, message.Advice{Kind: message.AdviceAwaitNode}.Text()
	}
	found := []cluster.CheckResult{f}
	if n.profile == render.ProfileOpenPAI {
		found = append(found, evaluateWorkers(usable))
	}
	for _, name := range slices.Sorted(maps.Keys(n.resources)) {
		found = append(found, evaluateResource(usable, name, n.resources[name]))
	}
	return found
}

func evaluateWorkers(nodes []node) cluster.CheckResult {
	count := 0
	for _, n := range nodes {
		if n.Metadata.Labels[workerLabel] == "true" {
			count++
		}
	}
	f := cluster.CheckResult{Check: "node label " + workerLabel, Result: cluster.ResultOK, Found: fmt.Sprintf("%s with the label", quantity.Count(count, "node"))}
	if count == 0 {
		f.Result, f.Found = cluster.ResultMissing, "no ready node is labeled "+workerLabel+"=true"
		f.Advice = message.Advice{Kind: message.AdviceLabelNode, Name: workerLabel}.Text()
	}
	return f
}

// evaluateResource requires a node with enough of a resource for the largest request.
func evaluateResource(nodes []node, name string, want int) cluster.CheckResult {
	most, with := 0, 0
	for _, n := range nodes {
		if has, err := strconv.Atoi(n.Status.Allocatable[name]); err == nil && has > 0 {
			with++
			most = max(most, has)
		}
	}
	f := cluster.CheckResult{Check: "resource " + name, Result: cluster.ResultOK, Found: fmt.Sprintf("%s with %s, at most %d per node", quantity.Count(with, "node"), name, most)}
	switch {
	case with == 0:
		f.Result, f.Found, f.Advice = cluster.ResultMissing, "no ready node has "+name, message.Advice{Kind: message.AdviceDevicePlugin}.Text()
	case most < want:
		f.Result, f.Advice = cluster.ResultMissing, message.Advice{Kind: message.AdviceSmallerRequest, Count: want}.Text()
	}
	return f
}
