// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	// minReruns and maxReruns limit the number of history commands in a round.
	minReruns, maxReruns = 4, 8
	// keptRuns is the number of runs of each job that gc keeps.
	keptRuns = 2
	// shortly is the maximum delay before crash kills the command runs. For
	// gc, the maximum is twice as long.
	shortly = 60 * time.Millisecond
)

// uses is the list of commands that read, extend and remove the history. In a
// round, keptRuns plus the number of added runs is less than the number of
// runs that apply keeps.
var uses = []struct {
	name   string
	args   []string
	within time.Duration
}{
	{"apply --rerun", []string{"apply", "--auto-approve", "--rerun"}, killWithin},
	{"run --rerun", []string{"run", "--auto-approve", "--rerun"}, 3 * killWithin},
	{"run --rerun", []string{"run", "--auto-approve", "--rerun=job.stubborn"}, killWithin},
	{"runs", []string{"runs"}, shortly},
	{"gc", []string{"gc", "--keep", fmt.Sprint(keptRuns)}, 2 * shortly},
}

// repeat starts and kills commands that rerun jobs, read the history or remove
// old runs. After each command, it compares the history with its previous
// content.
func (r *round) repeat(ctx context.Context) error {
	p := newPast()
	for range minReruns + r.random.IntN(1+maxReruns-minReruns) {
		u := uses[r.random.IntN(len(uses))]
		if err := r.look(ctx, p, 0); err != nil {
			return err
		}
		if r.random.IntN(2) == 0 {
			if err := r.settle(ctx); err != nil {
				return err
			}
		}
		keep := 0
		if u.name == "gc" {
			keep = keptRuns
		}
		r.interrupt(ctx, u.name, u.within, u.args...)
		if err := r.look(ctx, p, keep); err != nil {
			return err
		}
	}
	return r.finish(ctx, p)
}

// finish reports an anomaly if the latest run of a job did not succeed, or if
// destroy removes records that gc kept.
func (r *round) finish(ctx context.Context, p *past) error {
	if err := r.settle(ctx); err != nil {
		return err
	}
	if err := r.look(ctx, p, 0); err != nil {
		return err
	}
	r.anomalies = append(r.anomalies, p.unfinished()...)
	if _, err := r.command(ctx, "gc", "--keep", fmt.Sprint(keptRuns)); err != nil {
		return err
	}
	if err := r.look(ctx, p, keptRuns); err != nil {
		return err
	}
	if _, err := r.command(ctx, "destroy", "--auto-approve"); err != nil {
		return err
	}
	return r.look(ctx, p, 0)
}

// settle completes the work of killed commands and waits for the jobs.
func (r *round) settle(ctx context.Context) error {
	for _, args := range [][]string{{"apply", "--auto-approve"}, {"wait"}} {
		if _, err := r.command(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

// look compares the current history with p. keep is the number of runs per
// job that gc had to keep, or 0 if gc did not run since the last comparison.
func (r *round) look(ctx context.Context, p *past, keep int) error {
	ran, err := os.ReadFile(filepath.Join(r.dir, uidsFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := r.command(ctx, "runs", "--json") // fails if a record is unreadable
	if err != nil {
		return err
	}
	var answer struct {
		Runs []struct {
			State  string
			Record record
		}
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return fmt.Errorf("read the runs: %w", err)
	}
	now := make([]record, len(answer.Runs))
	for i, run := range answer.Runs {
		now[i] = run.Record
		now[i].state = run.State
	}
	r.records += p.look(now, keep)
	r.anomalies = append(r.anomalies, p.found...)
	r.anomalies = append(r.anomalies, p.missing(strings.Fields(string(ran)))...)
	p.found = nil
	return nil
}
