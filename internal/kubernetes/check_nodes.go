package kubernetes

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/render"
)

// workerLabel is the label of nodes that OpenPAI uses for jobs. Source:
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

// usable reports whether new Pods can come to the node.
func (n node) usable() bool {
	return !n.Spec.Unschedulable && slices.Contains(n.Status.Conditions, struct{ Type, Status string }{"Ready", "True"})
}

// checkNodes compares the nodes with what tasks ask for.
func (c *Cluster) checkNodes(ctx context.Context, n needs) []Finding {
	all, err := listAll[node](ctx, c, nodes, nil, "", 0)
	if err != nil {
		return []Finding{unknown("nodes", err)}
	}
	return judgeNodes(all, n)
}

func judgeNodes(nodes []node, n needs) []Finding {
	usable := slices.DeleteFunc(slices.Clone(nodes), func(n node) bool { return !n.usable() })
	f := Finding{Check: "nodes", Result: ResultOK, Found: fmt.Sprintf("%d of %d are ready", len(usable), len(nodes))}
	if len(usable) == 0 {
		f.Result, f.Advice = ResultMissing, "Tasks wait until there is a node."
	}
	found := []Finding{f}
	if n.profile == render.ProfileOpenPAI {
		found = append(found, judgeWorkers(usable))
	}
	for _, name := range slices.Sorted(maps.Keys(n.resources)) {
		found = append(found, judgeResource(usable, name, n.resources[name]))
	}
	return found
}

func judgeWorkers(nodes []node) Finding {
	count := 0
	for _, n := range nodes {
		if n.Metadata.Labels[workerLabel] == "true" {
			count++
		}
	}
	f := Finding{Check: "node label " + workerLabel, Result: ResultOK, Found: fmt.Sprintf("%d nodes have it", count)}
	if count == 0 {
		f.Result, f.Found = ResultMissing, "no ready node is labelled "+workerLabel+"=true"
		f.Advice = "Tasks of the profile \"openpai\" run on such nodes only: kubectl label node NAME " + workerLabel + "=true"
	}
	return f
}

// judgeResource looks for a node that can hold the largest task.
func judgeResource(nodes []node, name string, want int) Finding {
	most, with := 0, 0
	for _, n := range nodes {
		if has, err := strconv.Atoi(n.Status.Allocatable[name]); err == nil && has > 0 {
			with++
			most = max(most, has)
		}
	}
	f := Finding{Check: "resource " + name, Result: ResultOK, Found: fmt.Sprintf("%d nodes have it, %d at most on one", with, most)}
	switch {
	case with == 0:
		f.Result, f.Found, f.Advice = ResultMissing, "no ready node has it", "Install the device plugin of the vendor on the nodes with GPUs."
	case most < want:
		f.Result, f.Advice = ResultMissing, fmt.Sprintf("A task asks for %d; ask for less, or add a larger node.", want)
	}
	return f
}
