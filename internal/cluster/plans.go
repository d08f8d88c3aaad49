package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"
)

// PlanHistory is a cluster that keeps which saved plans were applied to a
// workspace, longer than any job.
type PlanHistory interface {
	// AppliedPlans returns the saved plans by their identifier.
	AppliedPlans(ctx context.Context, workspace string) (AppliedPlans, error)
	// KeepPlan writes one of them. The caller holds the lock of the workspace.
	KeepPlan(ctx context.Context, workspace, id string, p AppliedPlan) error
	// ForgetPlans removes all of them. The caller holds the lock too.
	ForgetPlans(ctx context.Context, workspace string) error
}

// AppliedPlans are saved plans by their identifier.
type AppliedPlans map[string]AppliedPlan

// AppliedPlan is what is kept of a saved plan.
type AppliedPlan struct {
	Begun time.Time `json:"begun"`
	// Expires is when the plan can no longer be applied, so that it can be
	// forgotten.
	Expires time.Time `json:"expires"`
	// Finished is false while the plan is being applied, and after an apply that
	// was killed or failed: the same plan continues it.
	Finished bool `json:"finished"`
}

// With returns the plans with one more, without those that had expired when it
// was begun.
func (all AppliedPlans) With(id string, p AppliedPlan) AppliedPlans {
	kept := maps.Clone(all)
	if kept == nil {
		kept = AppliedPlans{}
	}
	maps.DeleteFunc(kept, func(_ string, old AppliedPlan) bool { return old.Expires.Before(p.Begun) })
	kept[id] = p
	return kept
}

// plansVersion is that of the format of a history. It rises when an older
// program must not read what a newer one wrote.
const plansVersion = 1

type plansDocument struct {
	Version int          `json:"version"`
	Plans   AppliedPlans `json:"plans"`
}

// Encode returns the plans as every cluster keeps them.
func (all AppliedPlans) Encode() []byte {
	text, err := json.Marshal(plansDocument{plansVersion, all})
	if err != nil {
		panic("cluster: " + err.Error()) // times and texts always marshal
	}
	return text
}

// DecodePlans reads what Encode wrote.
func DecodePlans(text []byte) (AppliedPlans, error) {
	var d plansDocument
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("decode the history of plans: %w", err)
	}
	switch {
	case d.Version > plansVersion:
		return nil, ErrLaterRecord
	case d.Version < 1:
		return nil, errors.New("decode the history of plans: it has no version")
	}
	return d.Plans, nil
}
