// SPDX-License-Identifier: MPL-2.0

package view

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strings"

	"github.com/openpai/terraform-provider-openpai/planner/graph"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Dimensions of the drawing, in pixels.
const (
	captionSize, titleSize, detailSize = 10.0, 14.0, 11.0
	lineHeight                         = 15.0
	padding                            = 12.0
	margin                             = 24.0
	widestText                         = 270.0
	legendHeight                       = 26.0
	lidHeight                          = 7.0 // height of a storage cylinder's lid
)

var spacing = graph.Spacing{Layer: 64, Node: 18, Line: 14}

// colors contains the fill, border and text color of each kind. The contrast
// ratio between text and fill is at least 7:1.
var colors = map[string][3]string{
	"job":         {"#1e293b", "#1e293b", "#ffffff"},
	"task_role":   {"#dbeafe", "#2563eb", "#172554"},
	"data":        {"#dcfce7", "#16a34a", "#052e16"},
	"script":      {"#fef3c7", "#d97706", "#451a03"},
	"output":      {"#f3e8ff", "#9333ea", "#3b0764"},
	"dockerimage": {"#cffafe", "#0891b2", "#083344"},
	"image":       {"#cffafe", "#0891b2", "#083344"},
	"storage":     {"#e2e8f0", "#475569", "#0f172a"},
	"secret":      {"#ffe4e6", "#e11d48", "#4c0519"},
	"plugin":      {"#fae8ff", "#c026d3", "#4a044e"},
}

// SVG returns the graph of resolved jobs as an SVG drawing. From left to
// right, the columns contain the jobs, task roles and dependencies. The same
// jobs always produce the same drawing.
func SVG(jobs []*resolve.Job) []byte {
	styles := nodeStylesOf(jobs)
	g := resolve.Graph(jobs)
	layout := g.Layout(func(n resolve.Node) graph.Size { return styles[n].size() }, spacing)
	d := &drawing{}
	width := math.Ceil(max(layout.Width, textWidth(legend, detailSize)) + 2*margin)
	height := math.Ceil(layout.Height + 2*margin + legendHeight)
	d.print(`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %[1]s %[2]s" font-family="Helvetica, Arial, 'Liberation Sans', sans-serif" role="img">`, number(width), number(height))
	d.print(`<title>%s</title>`, escape(titleOf(jobs)))
	d.print(`<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0.5L8 4L0 7.5z" fill="#64748b"/></marker></defs>`)
	d.print(`<rect width="%s" height="%s" rx="8" fill="#ffffff"/>`, number(width), number(height))
	d.print(`<g fill="none" stroke="#64748b" stroke-width="1.4">`)
	for _, l := range layout.Lines {
		d.line(l)
	}
	d.print(`</g>`)
	for _, b := range layout.Boxes {
		d.box(b, styles[b.Node])
	}
	d.text(margin, height-margin+6, detailSize, "#475569", "", legend)
	d.print(`</svg>`)
	return d.out.Bytes()
}

const legend = "An arrow points to a dependency; a dashed arrow points to a secret. Numbers show the start order in a task role."

func titleOf(jobs []*resolve.Job) string {
	var names []string
	for _, j := range jobs {
		names = append(names, clean(j.Address.String()))
	}
	return "What " + strings.Join(names, ", ") + " needs"
}

func (k nodeStyle) size() graph.Size {
	wide := max(textWidth(k.caption, captionSize)*1.2, min(textWidth(k.title, titleSize)*boldWidth, widestText))
	if k.number != "" {
		wide = max(wide, textWidth(k.caption, captionSize)*1.2+textWidth(k.number, captionSize)+4*padding)
	}
	for _, text := range k.details {
		wide = max(wide, min(textWidth(text, detailSize), widestText))
	}
	high := 2*padding + captionSize + titleSize + 4 + lineHeight*float64(len(k.details))
	if k.kind == "storage" {
		high += lidHeight
	}
	return graph.Size{Width: math.Ceil(wide + 2*padding), Height: 2 * math.Ceil(high/2)}
}

type drawing struct{ out bytes.Buffer }

func (d *drawing) print(format string, args ...any) { fmt.Fprintf(&d.out, format+"\n", args...) }

func (d *drawing) text(x, y, size float64, color, more, text string) {
	d.print(`<text x="%s" y="%s" font-size="%s" fill="%s"%s>%s</text>`, number(x), number(y), number(size), color, more, escape(text))
}

// box draws a node.
func (d *drawing) box(b graph.Box[resolve.Node], k nodeStyle) {
	c, known := colors[k.kind]
	if !known {
		c = colors["plugin"]
	}
	x, y := b.X+margin, b.Y+margin
	d.print(`<g><title>%s</title>`, escape(k.address))
	if k.kind == "storage" {
		d.cylinder(x, y, b.Size, c)
		y += lidHeight
	} else {
		d.print(`<rect x="%s" y="%s" width="%s" height="%s" rx="7" fill="%s" stroke="%s" stroke-width="1.4"/>`,
			number(x), number(y), number(b.Width), number(b.Height), c[0], c[1])
	}
	at := y + padding + captionSize - 1
	d.text(x+padding, at, captionSize, c[2], ` opacity="0.75" letter-spacing="0.8"`, strings.ToUpper(k.caption))
	if k.number != "" {
		d.badge(x+b.Width, y, k.number, c)
	}
	at += titleSize + 3
	d.text(x+padding, at, titleSize, c[2], ` font-weight="bold"`, shorten(k.title, titleSize*boldWidth, widestText))
	for _, text := range k.details {
		at += lineHeight
		d.text(x+padding, at, detailSize, c[2], "", shorten(text, detailSize, widestText))
	}
	d.print(`</g>`)
}

// badge draws the number of a prerequisite in the upper right corner of its node.
func (d *drawing) badge(right, top float64, text string, c [3]string) {
	wide := max(textWidth(text, detailSize)+10, 18)
	x, y := right-wide-7, top+7
	d.print(`<rect x="%s" y="%s" width="%s" height="18" rx="9" fill="%s"/>`, number(x), number(y), number(wide), c[1])
	d.text(x+wide/2, y+13, detailSize, "#ffffff", ` font-weight="bold" text-anchor="middle"`, text)
}

func (d *drawing) cylinder(x, y float64, size graph.Size, c [3]string) {
	w, h := size.Width, size.Height
	d.print(`<path d="M%s %sa%s %s 0 0 1 %s 0v%sa%s %s 0 0 1 -%s 0z" fill="%s" stroke="%s" stroke-width="1.4"/>`,
		number(x), number(y+lidHeight), number(w/2), number(lidHeight), number(w), number(h-2*lidHeight), number(w/2), number(lidHeight), number(w), c[0], c[1])
	d.print(`<path d="M%s %sa%s %s 0 0 0 %s 0" fill="none" stroke="%s" stroke-width="1.4"/>`,
		number(x), number(y+lidHeight), number(w/2), number(lidHeight), number(w), c[1])
}

// line draws straight edges within a layer and curved edges between two
// layers.
func (d *drawing) line(l graph.Line[resolve.Node]) {
	var path strings.Builder
	for i, p := range l.Points {
		x, y := p.X+margin, p.Y+margin
		switch {
		case i == 0:
			fmt.Fprintf(&path, "M%s %s", number(x), number(y))
		case i%2 == 1:
			fmt.Fprintf(&path, "L%s %s", number(x), number(y))
		default:
			before := l.Points[i-1]
			middle := (before.X + p.X) / 2
			fmt.Fprintf(&path, "C%s %s %s %s %s %s", number(middle+margin), number(before.Y+margin), number(middle+margin), number(y), number(x), number(y))
		}
	}
	dash := ""
	if l.Label == "reads" {
		dash = ` stroke-dasharray="5 4"`
	}
	d.print(`<path d="%s" marker-end="url(#arrow)"%s/>`, path.String(), dash)
}

// number formats a coordinate in pixels, rounded to one decimal place.
func number(x float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
}

func escape(text string) string {
	var b bytes.Buffer
	if err := xml.EscapeText(&b, []byte(text)); err != nil {
		panic("planner/view: " + err.Error()) // writing to a buffer cannot fail
	}
	return b.String()
}
