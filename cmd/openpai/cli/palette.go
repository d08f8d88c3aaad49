package cli

import (
	"hash/fnv"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// color is an ANSI color; 0 is none.
type color int

const (
	plain   color = 0
	red     color = 31
	green   color = 32
	yellow  color = 33
	blue    color = 34
	magenta color = 35
	cyan    color = 36
)

// paint colors a text of the output.
func (s *Streams) paint(c color, text string) string {
	if !s.color || c == plain {
		return text
	}
	return "\x1b[" + string([]byte{'0' + byte(c/10), '0' + byte(c%10)}) + "m" + text + "\x1b[0m"
}

// taskColor gives each task one color for as long as it lives.
func taskColor(a cluster.AttemptID) color {
	h := fnv.New32a()
	_, _ = h.Write([]byte(a.Role))
	palette := []color{cyan, magenta, blue, yellow, green}
	return palette[(int(h.Sum32()%5)+a.Index)%len(palette)]
}

func stateColor(s planner.JobState) color {
	switch s {
	case planner.StateSucceeded:
		return green
	case planner.StateFailed, planner.StateGone:
		return red
	case planner.StateRunning, planner.StateWaiting, planner.StateStopping:
		return yellow
	}
	return plain
}
