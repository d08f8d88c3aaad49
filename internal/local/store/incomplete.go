package store

import (
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// Incomplete says what is missing of a Framework that was submitted or deleted in
// part; empty for a whole one.
func Incomplete(fw *framework.Framework) cluster.Stalled {
	switch {
	case fw.Metadata.DeletionTimestamp != nil:
		return cluster.PartlyDeleted
	case fw.Spec.ExecutionType == framework.ExecutionCreate:
		return cluster.PartlySubmitted
	}
	return ""
}

// Incomplete returns the same for the stored Framework; empty also when there is
// none or it cannot be read.
func (o Object) Incomplete() cluster.Stalled {
	fw, err := o.LoadSpec()
	if err != nil {
		return ""
	}
	return Incomplete(fw)
}

// IncompleteRecord says the same of a job that has only its record: one without an
// outcome was left by a command that was killed.
func (l Layout) IncompleteRecord(framework string) cluster.Stalled {
	if r, err := l.LoadRecord(framework); err == nil && r != nil && r.State == "" && !Exists(l.Object(framework).SpecFile()) {
		return cluster.PartlySubmitted
	}
	return ""
}

// Stalled says why nothing happens to a Framework until a command continues
// it; empty when something does.
func (o Object) Stalled(fw *framework.Framework) (cluster.Stalled, error) {
	if missing := Incomplete(fw); missing != "" {
		return missing, nil
	}
	if needed, err := o.NeedsSupervisor(fw); err != nil || !needed {
		return "", err
	}
	return cluster.Unsupervised, nil
}

// Stoppable fails for a Framework that never started, or is being deleted.
func (o Object) Stoppable() error { return (&cluster.Status{Stalled: o.Incomplete()}).StalledError() }
