// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/history"
)

// RunStore is a cluster that keeps the run history after jobs are deleted.
// Callers that write must hold the workspace lock.
type RunStore interface {
	// Counters returns empty counters if the workspace does not have counters yet.
	Counters(ctx context.Context, workspace string) (*history.Counters, error)
	// SaveCounters writes the counters, or removes them if c is empty. It fails
	// with [ErrCountersChanged] if the counters have changed since they were
	// read. It sets the revision of c to the written revision, or to "" if the
	// cluster has no revisions.
	SaveCounters(ctx context.Context, workspace string, c *history.Counters) error

	// RunSizes lists the documents without reading them.
	RunSizes(ctx context.Context, workspace string) ([]history.Size, error)
	// Run reads a document. It fails with ErrNotFound if the document does not
	// exist.
	Run(ctx context.Context, workspace string, k history.Key) (*history.Run, error)
	// Runs reads all documents, in any order. If some documents are unreadable,
	// it returns the readable documents and an error. The error joins a
	// [history.FormatError] for each unreadable document.
	Runs(ctx context.Context, workspace string) ([]*history.Run, error)
	// SaveRun writes the document of a run, without the parts that exceed the
	// size limit of a document. It fails with [ErrNoRoom] if the disk is full.
	// It fails with [ErrRunTaken] if the run belongs to a different workspace.
	SaveRun(ctx context.Context, r *history.Run) error
	// RemoveRun removes the logs of a run. If logsOnly is false, it also removes the
	// document of the run.
	RemoveRun(ctx context.Context, workspace string, k history.Key, logsOnly bool) error
	// RunLog copies a log of a run to w.
	RunLog(ctx context.Context, r *history.Run, l history.Log, w io.Writer) error
	// RunLimits returns the default limits.
	RunLimits() history.Limits
}

// ErrCountersChanged is returned if another process has changed the counters
// since they were read.
var ErrCountersChanged = errors.New("another process has submitted a job; run the command again")

// ErrRunTaken is the error for a run name and number that another workspace
// uses.
var ErrRunTaken = errors.New("another workspace has a run with this name and number")

// ErrNoRoom is returned if the disk is full.
var ErrNoRoom = errors.New("the disk is full")

// raiseTries is the maximum number of tries of EditCounters while other
// processes change the counters.
const raiseTries = 5

// Forgetful is a cluster whose engine removes finished jobs and their logs. The
// first command that reads a run outcome must therefore store the outcome.
type Forgetful interface{ ForgetsJobs() bool }

// ImageSource is a cluster that records which images the tasks used.
type ImageSource interface {
	// ImageDigests maps the declared name of each task role to its image digest.
	// It omits roles whose tasks used different images or whose digest is unknown.
	ImageDigests(ctx context.Context, framework string) (map[string]string, error)
}

// CounterEditor is a RunStore that implements EditCounters itself.
type CounterEditor interface {
	// EditCounters is the implementation that the function [EditCounters]
	// calls for this cluster.
	EditCounters(ctx context.Context, workspace string, edit func(*history.Counters) (bool, error)) error
}

// EditCounters changes the counters of a workspace with compare-and-swap. The function
// edit may change the counters, and reports whether it did. If edit returns false or
// an error, it must leave the counters unchanged. EditCounters may call edit several
// times.
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

// Numbering requests the number for a job's next run.
type Numbering struct {
	Address   hclspec.Address
	Framework string
	// AtLeast is the highest run number that is known from other sources.
	AtLeast int
}

// NumberRuns increments the counters for the next submissions in a single edit. It
// returns the new numbers. kept contains the documents of the workspace.
func NumberRuns(ctx context.Context, s RunStore, workspace string, kept []history.Size, jobs []Numbering) (map[hclspec.Address]int, error) {
	highest := map[string]int{} // by Framework, because the name may have belonged to a different address
	for _, j := range jobs {
		highest[j.Framework] = 0
	}
	for _, k := range kept {
		if n, ok := highest[k.Framework]; ok && k.Number > n {
			highest[k.Framework] = k.Number
		}
	}
	numbers := map[hclspec.Address]int{}
	err := EditCounters(ctx, s, workspace, func(c *history.Counters) (bool, error) {
		for _, j := range jobs {
			numbers[j.Address] = c.Next(j.Address, max(j.AtLeast, highest[j.Framework]))
		}
		return len(jobs) > 0, nil
	})
	if err != nil {
		return nil, fmt.Errorf("assign the number of the next run: %w", err)
	}
	return numbers, nil
}

// MoveRuns moves counters and runs to new addresses. moved maps old addresses
// to new addresses. MoveRuns moves the counters last, so that the next call
// repeats an interrupted move.
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

// ForgetRuns removes the runs and counters of the given addresses; nil means
// all addresses.
func ForgetRuns(ctx context.Context, s RunStore, workspace string, addresses []hclspec.Address) error {
	kept, err := s.RunSizes(ctx, workspace)
	if err != nil {
		return err
	}
	return ForgetListed(ctx, s, workspace, kept, addresses)
}

// ForgetListed is like ForgetRuns for callers with a list of the workspace's
// documents.
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

// ForgetOthers removes the runs and counters of all addresses except the given
// addresses. It keeps documents whose address cannot be read.
func ForgetOthers(ctx context.Context, s RunStore, workspace string, except []hclspec.Address) error {
	kept, err := s.RunSizes(ctx, workspace)
	if err != nil {
		return err
	}
	if kept, err = withAddresses(ctx, s, workspace, kept); err != nil {
		return err
	}
	c, err := s.Counters(ctx, workspace)
	if err != nil {
		return err
	}
	others := slices.Collect(maps.Keys(c.Last))
	for _, k := range kept {
		others = append(others, k.Address)
	}
	others = slices.DeleteFunc(others, func(a hclspec.Address) bool { return a == "" || slices.Contains(except, a) })
	return ForgetListed(ctx, s, workspace, kept, append([]hclspec.Address{}, others...)) // nil would remove all
}

// addressOf returns the address of a run, or "" for a missing or unreadable
// document. [ForgetRuns] keeps unreadable documents unless it removes the documents
// of all addresses.
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
	// Remove damaged counters too, regardless of their content.
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

// AnyRevision lets SaveCounters overwrite the counters without comparing
// revisions.
const AnyRevision = "*"

// withAddresses adds the job address to each document. It reads only one document
// per Framework.
func withAddresses(ctx context.Context, s RunStore, workspace string, kept []history.Size) ([]history.Size, error) {
	kept = slices.Clone(kept)
	known := map[string]hclspec.Address{}
	for i, k := range kept {
		address, ok := known[k.Framework]
		if !ok || k.Address != "" {
			var err error
			if address, err = addressOf(ctx, s, workspace, k); err != nil {
				return nil, err
			}
			known[k.Framework] = address
		}
		kept[i].Address = address
	}
	return kept, nil
}

// PruneRuns removes and returns the runs and logs that exceed the limits. If
// dry is true, it only returns them. kept contains the documents of the
// workspace.
func PruneRuns(ctx context.Context, s RunStore, workspace string, kept []history.Size, l history.Limits, dry bool) (runs, logs []history.Key, err error) {
	if l.MayExceed(kept) {
		if kept, err = withAddresses(ctx, s, workspace, kept); err != nil {
			return nil, nil, err
		}
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
