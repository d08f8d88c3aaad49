package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/history"
)

// RunStore is a cluster that keeps the history of a workspace longer than its
// jobs. Those who write hold the lock of the workspace.
type RunStore interface {
	// Counters returns empty ones when there are none.
	Counters(ctx context.Context, workspace string) (*history.Counters, error)
	// SaveCounters fails with [ErrCountersChanged] when they are not those that
	// were read last. Without any number it removes them. It sets the revision
	// to that of what it wrote; "" where the cluster compares nothing.
	SaveCounters(ctx context.Context, workspace string, c *history.Counters) error

	// RunSizes lists the documents without reading them.
	RunSizes(ctx context.Context, workspace string) ([]history.Size, error)
	// Run reads a document; it fails with ErrNotFound when there is none.
	Run(ctx context.Context, workspace string, k history.Key) (*history.Run, error)
	// Runs reads all documents, in any order. Those that can be read come with an
	// error that joins a [history.FormatError] for each of the others.
	Runs(ctx context.Context, workspace string) ([]*history.Run, error)
	// SaveRun writes a document, and omits parts that have no room. It fails with
	// [ErrNoRoom] when the disk is full, and with [ErrRunTaken].
	SaveRun(ctx context.Context, r *history.Run) error
	// RemoveRun removes a document and its logs, or the logs only.
	RemoveRun(ctx context.Context, workspace string, k history.Key, logsOnly bool) error
	// RunLog copies a log that a run lists to w.
	RunLog(ctx context.Context, r *history.Run, l history.Log, w io.Writer) error
	// RunLimits are what is kept by default.
	RunLimits() history.Limits
}

// ErrCountersChanged says that another process numbered a run meanwhile.
var ErrCountersChanged = errors.New("another process has submitted a job meanwhile")

// ErrRunTaken says that another workspace has the name and number of a run.
var ErrRunTaken = errors.New("another workspace has a run of this name and number")

// ErrNoRoom says that a disk is full.
var ErrNoRoom = errors.New("no room is left")

// raiseTries is how often counters are read again that another process changed.
const raiseTries = 5

// Forgetful is a cluster whose engine removes finished jobs and their logs, so
// that what came of a run is written when it is seen.
type Forgetful interface{ ForgetsJobs() bool }

// CounterEditor is a RunStore that edits its counters in its own way.
type CounterEditor interface {
	// EditCounters is the function of that name.
	EditCounters(ctx context.Context, workspace string, edit func(*history.Counters) (bool, error)) error
}

// EditCounters changes the counters of a workspace by compare-and-swap. edit
// reports whether it changed them, and may be called again.
func EditCounters(ctx context.Context, s RunStore, workspace string, edit func(*history.Counters) (bool, error)) error {
	if e, ok := s.(CounterEditor); ok {
		return e.EditCounters(ctx, workspace, edit)
	}
	for try := 1; ; try++ {
		c, err := s.Counters(ctx, workspace)
		if err != nil {
			return err
		}
		changed, err := edit(c)
		if err != nil || !changed {
			return err
		}
		err = s.SaveCounters(ctx, workspace, c)
		if !errors.Is(err, ErrCountersChanged) || try == raiseTries {
			return err
		}
	}
}

// Numbering asks for the number of the next run of a job.
type Numbering struct {
	Address   hclspec.Address
	Framework string
	// AtLeast is the highest number that is known from elsewhere.
	AtLeast int
}

// NumberRuns raises the counters of jobs that are about to be submitted, all at
// once, and returns the numbers. kept are the documents of the workspace.
func NumberRuns(ctx context.Context, s RunStore, workspace string, kept []history.Size, jobs []Numbering) (map[hclspec.Address]int, error) {
	highest := map[string]int{} // by Framework: another address may have had the name
	for _, k := range kept {
		highest[k.Framework] = max(highest[k.Framework], k.Number)
	}
	numbers := map[hclspec.Address]int{}
	err := EditCounters(ctx, s, workspace, func(c *history.Counters) (bool, error) {
		for _, j := range jobs {
			numbers[j.Address] = c.Next(j.Address, max(j.AtLeast, highest[j.Framework]))
		}
		return len(jobs) > 0, nil
	})
	if err != nil {
		return nil, fmt.Errorf("number the next run: %w", err)
	}
	return numbers, nil
}

// MoveRuns gives the counter and the runs of an address to another. The counter
// goes last, so that a move that was killed is repeated.
func MoveRuns(ctx context.Context, s RunStore, workspace string, moved map[hclspec.Address]hclspec.Address) error {
	if len(moved) == 0 {
		return nil
	}
	return EditCounters(ctx, s, workspace, func(c *history.Counters) (bool, error) {
		pending := map[hclspec.Address]hclspec.Address{}
		for from, to := range moved {
			if _, ok := c.Last[from]; ok {
				pending[from] = to
			}
		}
		if len(pending) == 0 {
			return false, nil
		}
		runs, err := s.Runs(ctx, workspace)
		if err != nil {
			return false, err
		}
		for _, r := range runs {
			to, ok := pending[r.Address]
			if !ok {
				continue
			}
			r.Address = to
			if err := s.SaveRun(ctx, r); err != nil {
				return false, err
			}
		}
		for from, to := range pending {
			c.Move(from, to)
		}
		return true, nil
	})
}

// ForgetRuns removes the runs of addresses and their counters; nil: everything.
func ForgetRuns(ctx context.Context, s RunStore, workspace string, addresses []hclspec.Address) error {
	kept, err := s.RunSizes(ctx, workspace)
	if err != nil {
		return err
	}
	return ForgetListed(ctx, s, workspace, kept, addresses)
}

// ForgetListed is ForgetRuns for who has listed the documents of the workspace.
func ForgetListed(ctx context.Context, s RunStore, workspace string, kept []history.Size, addresses []hclspec.Address) error {
	if addresses == nil {
		return forgetAll(ctx, s, workspace, kept)
	}
	chosen := map[hclspec.Address]bool{}
	for _, a := range addresses {
		chosen[a] = true
	}
	for _, k := range kept {
		address, err := addressOf(ctx, s, workspace, k)
		if err != nil {
			return err
		}
		if chosen[address] {
			if err := s.RemoveRun(ctx, workspace, k.Key, false); err != nil {
				return err
			}
		}
	}
	return EditCounters(ctx, s, workspace, func(c *history.Counters) (changed bool, err error) {
		for a := range chosen {
			_, known := c.Last[a]
			changed = changed || known
			delete(c.Last, a)
		}
		return changed, nil
	})
}

// addressOf returns the address of a run; "" for a document that is gone or cannot be
// read, which goes with all.
func addressOf(ctx context.Context, s RunStore, workspace string, k history.Size) (hclspec.Address, error) {
	if k.Address != "" {
		return k.Address, nil
	}
	r, err := s.Run(ctx, workspace, k.Key)
	switch {
	case errors.Is(err, ErrNotFound), errors.As(err, new(*history.FormatError)):
		return "", nil
	case err != nil:
		return "", err
	}
	return r.Address, nil
}

func forgetAll(ctx context.Context, s RunStore, workspace string, kept []history.Size) error {
	for _, k := range kept {
		if err := s.RemoveRun(ctx, workspace, k.Key, false); err != nil {
			return err
		}
	}
	// Damaged counters go too, whatever they say.
	c, err := s.Counters(ctx, workspace)
	if errors.As(err, new(*history.FormatError)) {
		c, err = &history.Counters{Revision: AnyRevision}, nil
	}
	if err != nil {
		return err
	}
	c.Last = nil
	return s.SaveCounters(ctx, workspace, c)
}

// AnyRevision is the revision of counters that replace whatever is there.
const AnyRevision = "*"

// PruneRuns removes what is beyond the limits, and returns what it removed, or
// would remove when dry.
func PruneRuns(ctx context.Context, s RunStore, workspace string, l history.Limits, dry bool) (runs, logs []history.Key, err error) {
	kept, err := s.RunSizes(ctx, workspace)
	if err != nil {
		return nil, nil, err
	}
	runs, logs = l.Excess(kept)
	if dry {
		return runs, logs, nil
	}
	for _, k := range runs {
		if err := s.RemoveRun(ctx, workspace, k, false); err != nil {
			return nil, nil, err
		}
	}
	for _, k := range logs {
		if err := s.RemoveRun(ctx, workspace, k, true); err != nil {
			return nil, nil, err
		}
	}
	return runs, logs, nil
}
