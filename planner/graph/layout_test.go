// SPDX-License-Identifier: MPL-2.0

package graph

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var testSpacing = Spacing{Layer: 50, Node: 10, Line: 6}

// sized returns different sizes for the nodes of a random graph.
func sized(n int) Size { return Size{Width: float64(20 + n%7*10), Height: float64(10 + n%5*8)} }

func TestLayoutPlacesADiamondInThreeColumns(t *testing.T) {
	t.Parallel()
	g := build("ab", "ac", "bd", "cd", "ad")
	got := g.Layout(func(string) Size { return Size{20, 10} }, testSpacing)
	want := &Layout[string]{
		Size: Size{160, 36},
		Boxes: []Box[string]{
			{"a", Point{0, 17}, Size{20, 10}}, {"b", Point{70, 0}, Size{20, 10}}, {"c", Point{70, 20}, Size{20, 10}}, {"d", Point{140, 17}, Size{20, 10}},
		},
		Lines: []Line[string]{
			{Edge[string]{From: "a", To: "b"}, []Point{{20, 22}, {20, 22}, {70, 5}}},
			{Edge[string]{From: "a", To: "c"}, []Point{{20, 22}, {20, 22}, {70, 25}}},
			{Edge[string]{From: "a", To: "d"}, []Point{{20, 22}, {20, 22}, {70, 36}, {90, 36}, {140, 22}}},
			{Edge[string]{From: "b", To: "d"}, []Point{{90, 5}, {90, 5}, {140, 22}}},
			{Edge[string]{From: "c", To: "d"}, []Point{{90, 25}, {90, 25}, {140, 22}}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestBoxesOfRandomGraphsDoNotOverlap(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		g := random(rand.New(rand.NewPCG(seed, 2)), seed%3 == 0)
		l := g.Layout(sized, testSpacing)
		checkBoxes(t, g, l)
		checkLines(t, l)
		if diff := cmp.Diff(l, g.Layout(sized, testSpacing)); diff != "" {
			t.Errorf("the second layout differs\n%s", diff)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func checkBoxes(t *testing.T, g *Graph[int], l *Layout[int]) {
	t.Helper()
	if len(l.Boxes) != len(g.Nodes()) {
		t.Errorf("%d boxes for %d nodes", len(l.Boxes), len(g.Nodes()))
	}
	for i, a := range l.Boxes {
		if a.X < 0 || a.Y < 0 || a.X+a.Width > l.Width || a.Y+a.Height > l.Height {
			t.Errorf("%v is outside of %v", a, l.Size)
		}
		for _, b := range l.Boxes[:i] {
			if a.X < b.X+b.Width && b.X < a.X+a.Width && a.Y < b.Y+b.Height && b.Y < a.Y+a.Height {
				t.Errorf("%v and %v overlap", a, b)
			}
		}
	}
}

// checkLines checks that lines begin and end at their boxes. Outside a cycle,
// lines must lead to the right. Horizontal parts must not touch a box.
func checkLines(t *testing.T, l *Layout[int]) {
	t.Helper()
	at := map[int]Box[int]{}
	for _, b := range l.Boxes {
		at[b.Node] = b
	}
	for _, line := range l.Lines {
		from, to := at[line.From], at[line.To]
		first, last := line.Points[0], line.Points[len(line.Points)-1]
		forward := from.X < to.X
		if forward && (first.X != from.X+from.Width || last.X != to.X) || !forward && (first.X != from.X || last.X != to.X+to.Width) {
			t.Errorf("the line from %v to %v has the points %v", from, to, line.Points)
		}
		for i := 0; i+1 < len(line.Points); i += 2 {
			a, b := line.Points[i], line.Points[i+1]
			for _, box := range l.Boxes {
				inside := a.Y > box.Y && a.Y < box.Y+box.Height && min(a.X, b.X) < box.X+box.Width && max(a.X, b.X) > box.X
				if a.Y != b.Y || inside {
					t.Errorf("the line from %d to %d passes %v on its way from %v to %v", line.From, line.To, box, a, b)
				}
			}
		}
	}
}

// TestCrossingsAreCountedLikePairs compares the result with a comparison of all pairs
// of edges.
func TestCrossingsAreCountedLikePairs(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		l := random(rand.New(rand.NewPCG(seed, 3)), false).layers()
		slow := 0
		for _, row := range l.rows {
			for i, a := range row {
				for _, b := range row[i+1:] {
					for _, x := range l.out[a] {
						for _, y := range l.out[b] {
							if l.position[x] > l.position[y] {
								slow++
							}
						}
					}
				}
			}
		}
		before := l.crossings()
		if before != slow {
			t.Fatalf("seed %d: %d crossings, counted %d", seed, slow, before)
		}
		if l.uncross(); l.crossings() > before {
			t.Fatalf("seed %d: %d crossings became %d", seed, before, l.crossings())
		}
	}
}

func BenchmarkLayout(b *testing.B) {
	g := New[int]()
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 2000 {
		g.Connect(r.IntN(i/2+1), i+1, "")
		g.Connect(r.IntN(i/2+1), i+1, "")
	}
	for b.Loop() {
		g.Layout(sized, testSpacing)
	}
}
