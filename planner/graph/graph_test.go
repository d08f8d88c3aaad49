// SPDX-License-Identifier: MPL-2.0

package graph

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// build creates a graph from pairs such as "ab": a requires b.
func build(edges ...string) *Graph[string] {
	g := New[string]()
	for _, e := range edges {
		if len(e) == 1 {
			g.Add(e)
			continue
		}
		g.Connect(e[:1], e[1:], "")
	}
	return g
}

func TestDependenciesComeFirst(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		g    *Graph[string]
		want []string
	}{
		"without edges, nodes keep the order of insertion":      {build("c", "a", "b"), []string{"c", "a", "b"}},
		"dependencies come first, as written":                   {build("ab", "ac", "d"), []string{"b", "c", "a", "d"}},
		"the bottom node of a diamond occurs once":              {build("ab", "ac", "bd", "cd"), []string{"d", "b", "c", "a"}},
		"a later dependency does not move earlier dependencies": {build("a", "b", "ca", "cb", "cd"), []string{"a", "b", "d", "c"}},
		"a cycle still returns every node once":                 {build("ab", "bc", "ca"), []string{"c", "b", "a"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, c.g.Order()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestTheShortestCycleIsReported(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		g    *Graph[string]
		want [][]string
	}{
		"none":                     {build("ab", "ac", "bc"), nil},
		"a node that needs itself": {build("ab", "bb"), [][]string{{"b"}}},
		"a long cycle is complete": {build("xa", "ab", "bc", "cd", "da"), [][]string{{"a", "b", "c", "d"}}},
		"the shortest cycle through the first node":              {build("ab", "bc", "ca", "ba"), [][]string{{"a", "b"}}},
		"two separate cycles, in the order of their first nodes": {build("ab", "ba", "xy", "yx", "bx"), [][]string{{"a", "b"}, {"x", "y"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, c.g.Cycles()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestNeedsAndDistancesAreCounted(t *testing.T) {
	t.Parallel()
	g := build("ab", "ac", "cd", "bd", "de", "ae", "x")
	if diff := cmp.Diff([]string{"b", "c", "e"}, g.Needs("a")); diff != "" {
		t.Errorf("needs (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{"a": 0, "b": 1, "c": 1, "e": 1, "d": 2}, g.Distances("a")); diff != "" {
		t.Errorf("distances (-want +got)\n%s", diff)
	}
	if g.Needs("nobody") != nil || g.Distances("nobody") != nil || g.Has("nobody") || !g.Has("x") {
		t.Error("wrong results for an unknown node, or Has rejects a known node")
	}
}

func TestGraphsAreWrittenAsText(t *testing.T) {
	t.Parallel()
	g := New[string]()
	g.Connect("job", "data", "uses")
	g.Connect("data", `a "b"`, "")
	style := func(n string) NodeStyle { return NodeStyle{Label: n, Kind: map[string]string{"job": "job"}[n]} }
	dot := "digraph openpai {\n  rankdir=LR;\n  node [fontname=\"sans-serif\", shape=box];\n" +
		"  n0 [label=\"job\", shape=house];\n  n1 [label=\"data\"];\n  n2 [label=\"a \\\"b\\\"\"];\n" +
		"  n0 -> n1 [label=\"uses\"];\n  n1 -> n2;\n}\n"
	if diff := cmp.Diff(dot, g.DOT(style, Shapes{"job": "house"})); diff != "" {
		t.Errorf("DOT (-want +got)\n%s", diff)
	}
	mermaid := "flowchart LR\n  n0[\"job\"]:::job\n  n1[\"data\"]\n  n2[\"a #quot;b#quot;\"]\n  n0 -->|\"uses\"| n1\n  n1 --> n2\n"
	if diff := cmp.Diff(mermaid, g.Mermaid(style)); diff != "" {
		t.Errorf("Mermaid (-want +got)\n%s", diff)
	}
}

// random returns a random graph with up to 60 nodes. With backward edges, the
// graph may have cycles.
func random(r *rand.Rand, backward bool) *Graph[int] {
	g := New[int]()
	n := 1 + r.IntN(60)
	for _, i := range r.Perm(n) {
		g.Add(i)
	}
	for range r.IntN(3 * n) {
		a, b := r.IntN(n), r.IntN(n)
		if a < b || backward {
			g.Connect(a, b, fmt.Sprint(a, b))
		}
	}
	return g
}

func TestRandomGraphsAreOrderedAndChecked(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		g := random(r, seed%2 == 0)
		checkOrder(t, g)
		checkCycles(t, g)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func checkOrder(t *testing.T, g *Graph[int]) {
	t.Helper()
	order := g.Order()
	if len(order) != len(g.Nodes()) || len(slices.Compact(slices.Sorted(slices.Values(order)))) != len(order) {
		t.Errorf("order of %d nodes: %v", len(g.Nodes()), order)
	}
	if len(g.Cycles()) > 0 {
		return
	}
	for _, e := range g.Edges() {
		if slices.Index(order, e.To) > slices.Index(order, e.From) {
			t.Errorf("%d comes before %d, which it needs", e.From, e.To)
		}
	}
}

// checkCycles uses the definition: a node is in a cycle if it is reachable from
// one of its successors.
func checkCycles(t *testing.T, g *Graph[int]) {
	t.Helper()
	cyclic := false
	for _, n := range g.Nodes() {
		for _, m := range g.Needs(n) {
			_, back := g.Distances(m)[n]
			cyclic = cyclic || back
		}
	}
	cycles := g.Cycles()
	if cyclic != (len(cycles) > 0) {
		t.Errorf("cyclic %v, cycles %v", cyclic, cycles)
	}
	for _, c := range cycles {
		for i, n := range c {
			if next := c[(i+1)%len(c)]; !slices.Contains(g.Needs(n), next) {
				t.Errorf("cycle %v: no edge from %d to %d", c, n, next)
			}
		}
	}
}
