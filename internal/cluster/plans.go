// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"
)

// PlanHistory is a cluster that records which saved plans were applied to a
// workspace. The record outlives all jobs.
type PlanHistory interface {
	// AppliedPlans returns the saved plans by ID.
	AppliedPlans(ctx context.Context, workspace string) (AppliedPlans, error)
	// KeepPlan records one saved plan. The caller holds the lock of the
	// workspace.
	KeepPlan(ctx context.Context, workspace, id string, p AppliedPlan) error
	// ForgetPlans removes all records. The caller holds the lock of the
	// workspace.
	ForgetPlans(ctx context.Context, workspace string) error
}

// AppliedPlans are saved plans by ID.
type AppliedPlans map[string]AppliedPlan

// AppliedPlan is the record of a saved plan.
type AppliedPlan struct {
	Begun time.Time `json:"begun"`
	// Expires is the time after which the plan can no longer be applied, so that
	// its record can be removed.
	Expires time.Time `json:"expires"`
	// Finished is false while the plan is being applied, and after an apply that
	// failed or was killed: the same plan can continue it.
	Finished bool `json:"finished"`
}

// With returns the plans with p added, without those that had expired when p was
// started.
func (all AppliedPlans) With(id string, p AppliedPlan) AppliedPlans {
	kept := maps.Clone(all)
	if kept == nil {
		kept = AppliedPlans{}
	}
	maps.DeleteFunc(kept, func(_ string, old AppliedPlan) bool { return old.Expires.Before(p.Begun) })
	kept[id] = p
	return kept
}

// plansVersion is the version of the format. It increases when older programs
// must not read what newer ones write.
const plansVersion = 1

type plansDocument struct {
	Version int          `json:"version"`
	Plans   AppliedPlans `json:"plans"`
}

// Encode returns the plans in the format that every cluster stores.
func (all AppliedPlans) Encode() []byte {
	text, err := json.Marshal(plansDocument{plansVersion, all})
	if err != nil {
		panic("cluster: " + err.Error()) // times and strings always marshal
	}
	return text
}

// DecodePlans decodes the output of Encode.
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
