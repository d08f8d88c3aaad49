// SPDX-License-Identifier: MPL-2.0

package view

import (
	"cmp"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// Stage describes the current step of a task: "fetching mnist.zip 34 % of 1.1 GiB, 46
// MiB/s, 17 s left". It does not contain the reason why a task is waiting; see
// [StageReason].
func Stage(r *stage.Record, now time.Time) string {
	switch {
	case r == nil:
		return ""
	case r.Stage == stage.Preparing && r.Tasks > 0:
		return fmt.Sprintf("preparing, %d of %d tasks ready", r.Ready, r.Tasks)
	case r.Stage == stage.Fetching:
		return "fetching " + fetchWords(r)
	case r.Stage == stage.Prerequisite:
		return fmt.Sprintf("prerequisite %d of %d: %s", r.Number, r.Count, clean(r.Step))
	case r.Stage == stage.Ending && r.Step != "":
		return fmt.Sprintf("ending: %s of %s", clean(r.Event), clean(r.Step))
	case r.Stage == stage.Held:
		return heldWords(r, now)
	}
	return string(r.Stage)
}

// StageReason is like [Stage], but adds the reason why the task is waiting and, if known,
// the time until the next try. An example: "fetching mnist.zip: the server answered 503
// Service Unavailable, next try in 4 s".
func StageReason(r *stage.Record, now time.Time) string {
	if r == nil || r.Reason == "" {
		return Stage(r, now)
	}
	words := Stage(r, now) + ": " + clean(r.Reason)
	switch {
	case r.Until.IsZero() || now.IsZero() || r.Until.Sub(now) < time.Second:
		return words
	case r.Stage != stage.Scheduling:
		return words + ", next try in " + Remaining(r.Until.Sub(now))
	}
	return words + ", " + Remaining(r.Until.Sub(now)) + " left"
}

// RoleStage returns the number of a role's tasks in one stage and the reason or progress
// of an example task. The result is, for example, "37 of 64 fetching, for example:
// mnist.zip 34 % of 1.1 GiB".
func RoleStage(example *stage.Record, count, tasks int) string {
	words := fmt.Sprintf("%d of %d %s", count, tasks, example.Stage)
	if reason := RoleReason(example); reason != "" {
		words += ", for example: " + reason
	}
	return words
}

// RoleReason returns the reason or the download progress of an example task.
func RoleReason(example *stage.Record) string {
	switch {
	case example.Reason != "":
		return clean(example.Reason)
	case example.Stage == stage.Fetching && example.Fetch != nil && example.Fetch.Bytes > 0:
		return fetchWords(example)
	}
	return ""
}

func heldWords(r *stage.Record, now time.Time) string {
	words := "HELD"
	if r.ExitCode != nil {
		words += fmt.Sprintf(" after exit %d", *r.ExitCode)
	}
	if !r.Until.IsZero() {
		words += ", " + Remaining(r.Until.Sub(now)) + " left"
	}
	return words
}

func fetchWords(r *stage.Record) string {
	number := ""
	if r.Count > 1 {
		number = fmt.Sprintf(" (%d of %d)", r.Number, r.Count)
	}
	p := r.Fetch
	if p == nil {
		return cmp.Or(clean(r.Step), "data") + number
	}
	words := []string{clean(fileOf(p.Source)) + number}
	if percent, ok := p.Percent(); ok {
		words[0] += fmt.Sprintf(" %d %% of %s", percent, quantity.Bytes(p.Total))
	} else if p.Bytes > 0 {
		words[0] += " " + quantity.Bytes(p.Bytes)
	}
	if p.Rate > 0 {
		words = append(words, quantity.Bytes(p.Rate)+"/s")
	}
	if remaining, ok := p.Remaining(); ok {
		words = append(words, Remaining(remaining)+" left")
	}
	return strings.Join(words, ", ")
}

// fileOf returns the last path element of a URL without the query, or the
// host if the path is empty.
func fileOf(source string) string {
	source, _, _ = strings.Cut(source, "?")
	name := path.Base(strings.TrimRight(source, "/"))
	if name == "." || name == "/" {
		return source
	}
	return name
}

// Remaining formats a duration in one unit: "17 s", "29m", "3h".
func Remaining(d time.Duration) string {
	switch d = max(d, 0); {
	case d < 100*time.Second:
		return fmt.Sprintf("%d s", int(d.Seconds()+0.5))
	case d < 100*time.Minute:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	}
	return fmt.Sprintf("%dh", int(d.Hours()))
}
