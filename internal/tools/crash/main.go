// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"sync"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "crash:", err)
		os.Exit(1)
	}
}

// settings are the command-line options.
type settings struct {
	duration time.Duration
	parallel int
	seed     uint64
	program  string
}

func parse(args []string) (*settings, error) {
	s := &settings{}
	flags := flag.NewFlagSet("crash", flag.ContinueOnError)
	flags.DurationVar(&s.duration, "duration", time.Minute, "time after which no new round begins")
	flags.IntVar(&s.parallel, "parallel", 2, "number of concurrent rounds")
	flags.Uint64Var(&s.seed, "seed", uint64(time.Now().UnixNano()), "seed of the random choices; the times of kills also depend on the speed of the machine")
	flags.StringVar(&s.program, "openpai", "", "program to test; if empty, it is built from this module")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 || s.parallel < 1 {
		return nil, errors.New("usage: crash [-duration TIME] [-parallel NUMBER] [-seed NUMBER] [-openpai PROGRAM]")
	}
	return s, nil
}

func run(ctx context.Context, args []string, out io.Writer) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "openpai-crash-")
	if err != nil {
		return err
	}
	if s.program == "" {
		s.program = filepath.Join(scratch, "openpai")
		build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-o", s.program, "./cmd/openpai")
		if text, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("build openpai: %w\n%s", err, text)
		}
	} else if s.program, err = filepath.Abs(s.program); err != nil {
		return err
	}
	total := sweep(ctx, s, scratch)
	fmt.Fprintf(out, "seed %d: %s\n", s.seed, total)
	for _, a := range total.anomalies {
		fmt.Fprintln(out, a)
	}
	if len(total.anomalies) > 0 {
		return fmt.Errorf("%d anomalies; the workspaces are in %s", len(total.anomalies), scratch)
	}
	return os.RemoveAll(scratch)
}

func sweep(ctx context.Context, s *settings, scratch string) counts {
	deadline := time.Now().Add(s.duration)
	var total counts
	var mu sync.Mutex
	var workers sync.WaitGroup
	for worker := range s.parallel {
		workers.Go(func() {
			random := rand.New(rand.NewPCG(s.seed, uint64(worker)))
			for n := 0; time.Now().Before(deadline) && ctx.Err() == nil; n++ {
				dir := filepath.Join(scratch, fmt.Sprintf("round-%d-%d", worker, n))
				r := newRound(dir, s.program, random)
				r.run(ctx)
				if ctx.Err() != nil {
					return // discard the results of an interrupted round
				}
				mu.Lock()
				total.add(r.counts)
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	return total
}
