// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/reexec"
)

const (
	// maxKills is the maximum number of kills in a round.
	maxKills = 6
	// killWithin is the maximum delay before a kill.
	killWithin = 500 * time.Millisecond
	// patience is the time limit for one command.
	patience = 5 * time.Minute
	// exitPatience is the time limit for the exit of a process that has completed its
	// work.
	exitPatience = 10 * time.Second
)

// round is the lifecycle of one workspace, from the first apply to the end of
// destroy.
type round struct {
	counts
	dir     string
	program string
	random  *rand.Rand
	killed  map[string]int // task processes, by Framework
}

func newRound(dir, program string, random *rand.Rand) *round {
	return &round{counts: counts{rounds: 1}, dir: dir, program: program, random: random, killed: map[string]int{}}
}

// run removes the workspace unless the round found an anomaly.
func (r *round) run(ctx context.Context) {
	err := writeWorkspace(r.dir)
	if err == nil {
		err = r.converge(ctx)
	}
	if err != nil {
		r.anomalies = append(r.anomalies, err.Error())
	}
	if len(r.anomalies) == 0 {
		_ = os.RemoveAll(r.dir)
		return
	}
	for i := range r.anomalies {
		r.anomalies[i] = filepath.Base(r.dir) + ": " + r.anomalies[i]
	}
}

func (r *round) converge(ctx context.Context) error {
	for range 1 + r.random.IntN(maxKills) {
		if err := r.disturb(ctx); err != nil {
			return err
		}
	}
	for _, args := range [][]string{{"apply", "--auto-approve"}, {"wait"}, {"plan", "--detailed-exitcode"}} {
		if _, err := r.command(ctx, args...); err != nil {
			return err
		}
	}
	if err := r.check(ctx); err != nil {
		return err
	}
	if err := r.repeat(ctx); err != nil {
		return err
	}
	if r.random.IntN(2) == 0 {
		r.interrupt(ctx, "destroy", killWithin, "destroy", "--auto-approve", "--forget")
	}
	if _, err := r.command(ctx, "destroy", "--auto-approve", "--forget"); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(r.dir, ".openpai")); !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("destroy left .openpai: %w", cmp.Or(err, fs.ErrExist))
	}
	return r.awaitNothing()
}

// awaitNothing waits until the workspace has no processes. A supervisor that
// has released its lock may still be exiting.
func (r *round) awaitNothing() error {
	for deadline := time.Now().Add(exitPatience); ; time.Sleep(10 * time.Millisecond) {
		found := runningIn(r.dir)
		if len(found) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("destroy left processes: %q", found)
		}
	}
}

// disturb either runs and kills apply, or kills one running process of the local
// cluster. In a quarter of the calls, disturb kills all running processes: instead
// of one process, or after it has killed apply.
func (r *round) disturb(ctx context.Context) error {
	running, err := parts(r.dir)
	if err != nil {
		return err
	}
	all := r.random.IntN(4) == 0
	if len(running) == 0 || r.random.IntN(3) == 0 {
		r.interrupt(ctx, "apply", killWithin, "apply", "--auto-approve")
		if !all {
			return nil
		}
	} else {
		time.Sleep(r.moment(killWithin))
	}
	if running, err = parts(r.dir); err != nil || len(running) == 0 {
		return err
	}
	if !all {
		n := r.random.IntN(len(running))
		running = running[n : n+1]
	}
	r.end(running)
	return ctx.Err()
}

func (r *round) moment(within time.Duration) time.Duration {
	return time.Duration(r.random.Int64N(int64(within)))
}

// end kills processes and waits until they have ended. Commands regard a
// killed process as alive until it no longer exists.
func (r *round) end(all []part) {
	for _, p := range all {
		if !p.Alive() || process.Kill(p.PID) != nil {
			continue
		}
		if p.kind == reexec.Task {
			r.killed[p.framework]++
			r.kill("tasks")
		} else {
			r.kill("supervisors")
		}
	}
	for _, p := range all {
		for p.Alive() {
			time.Sleep(time.Millisecond)
		}
	}
}

// interrupt runs a command, and kills it at a random time unless it has already
// ended. what is the name of the kill in the statistics.
func (r *round) interrupt(ctx context.Context, what string, within time.Duration, args ...string) {
	ctx, cancel := context.WithTimeout(ctx, r.moment(within))
	defer cancel()
	cmd := exec.CommandContext(ctx, r.program, append(args, r.dir)...)
	cmd.Env = r.environment()
	if _ = cmd.Run(); ctx.Err() != nil {
		r.kill(what)
	}
}

func (r *round) command(ctx context.Context, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.program, append(args, r.dir)...)
	cmd.Env = r.environment()
	var failed bytes.Buffer
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s%s", args[0], err, out, failed.Bytes())
	}
	return out, nil
}

func (r *round) environment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.dir, "USER=crash"}
}

// part is a process of a workspace's local cluster.
type part struct {
	process.ID
	kind      string // first argument of the process, a constant from package reexec
	framework string
}
