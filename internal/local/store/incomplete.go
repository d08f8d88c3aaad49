// SPDX-License-Identifier: MPL-2.0

package store

import (
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// Incomplete describes the missing part of an incomplete submission or deletion. It
// returns "" if the submission or deletion is complete.
func Incomplete(fw *framework.Framework) cluster.Stalled {
	switch {
	case fw.Metadata.DeletionTimestamp != nil:
		return cluster.PartlyDeleted
	case fw.Spec.ExecutionType == framework.ExecutionCreate:
		return cluster.PartlySubmitted
	}
	return ""
}

// Incomplete returns the result of the function [Incomplete] for the stored
// Framework. It also returns "" if the Framework does not exist or cannot be
// read.
func (o Object) Incomplete() cluster.Stalled {
	fw, err := o.LoadSpec()
	if err != nil {
		return ""
	}
	return Incomplete(fw)
}

// IncompleteRecord is the variant of Incomplete for a job that has a record
// but no Framework. A record without an outcome is from a killed command.
func (l Layout) IncompleteRecord(framework string) cluster.Stalled {
	if r, err := l.LoadRecord(framework); err == nil && r != nil && r.State == "" && !Exists(l.Object(framework).SpecFile()) {
		return cluster.PartlySubmitted
	}
	return ""
}

// Stalled returns the reason why a Framework cannot continue until the user runs a
// command, or "" if the Framework is not stalled.
func (o Object) Stalled(fw *framework.Framework) (cluster.Stalled, error) {
	if missing := Incomplete(fw); missing != "" {
		return missing, nil
	}
	if needed, err := o.NeedsSupervisor(fw); err != nil || !needed {
		return "", err
	}
	return cluster.Unsupervised, nil
}

// Stoppable returns an error for a Framework that never started or is being deleted.
func (o Object) Stoppable() error { return (&cluster.Status{Stalled: o.Incomplete()}).StalledError() }
