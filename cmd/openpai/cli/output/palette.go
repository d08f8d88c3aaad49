// SPDX-License-Identifier: MPL-2.0

package output

import (
	"hash/fnv"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// Color is an ANSI color code; 0 means no color.
type Color int

// Colors for states and task prefixes.
const (
	Plain   Color = 0
	Red     Color = 31
	Green   Color = 32
	Yellow  Color = 33
	Blue    Color = 34
	Magenta Color = 35
	Cyan    Color = 36
)

// Paint adds a color to text if colored is true.
func Paint(colored bool, c Color, text string) string {
	if !colored || c == Plain {
		return text
	}
	return "\x1b[" + string([]byte{'0' + byte(c/10), '0' + byte(c%10)}) + "m" + text + "\x1b[0m"
}

// TaskColor returns the color of a task. All attempts of a task have the same
// color.
func TaskColor(a cluster.AttemptID) Color {
	h := fnv.New32a()
	_, _ = h.Write([]byte(a.Role))
	palette := []Color{Cyan, Magenta, Blue, Yellow, Green}
	return palette[(int(h.Sum32()%5)+a.Index)%len(palette)]
}

func stateColor(s planner.JobState) Color {
	switch s {
	case planner.StateSucceeded:
		return Green
	case planner.StateFailed, planner.StateGone:
		return Red
	case planner.StateRunning, planner.StateWaiting, planner.StateStopping:
		return Yellow
	}
	return Plain
}
