// SPDX-License-Identifier: MPL-2.0

package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// counts contains the statistics of one or more rounds.
type counts struct {
	rounds    int
	kills     map[string]int // by kind of process
	attempts  int            // started task attempts
	records   int            // recorded runs
	anomalies []string
}

func (c *counts) kill(what string) {
	if c.kills == nil {
		c.kills = map[string]int{}
	}
	c.kills[what]++
}

func (c *counts) add(more counts) {
	c.rounds += more.rounds
	c.attempts += more.attempts
	c.records += more.records
	c.anomalies = append(c.anomalies, more.anomalies...)
	for what, n := range more.kills {
		c.kill(what)
		c.kills[what] += n - 1
	}
}

func (c counts) String() string {
	sum, parts := 0, []string{}
	for _, what := range slices.Sorted(maps.Keys(c.kills)) {
		sum += c.kills[what]
		parts = append(parts, fmt.Sprintf("%d %s", c.kills[what], what))
	}
	return fmt.Sprintf("%d rounds, %d kills (%s), %d task attempts, %d recorded runs, %d anomalies",
		c.rounds, sum, strings.Join(parts, ", "), c.attempts, c.records, len(c.anomalies))
}
