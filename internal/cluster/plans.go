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
// workspace. The record remains after all jobs have been deleted.
type PlanHistory interface {
	// AppliedPlans returns the saved plans that were applied.
	AppliedPlans(ctx context.Context, workspace string) (AppliedPlans, error)
	// KeepPlan records one saved plan. The caller must hold the workspace
	// lock.
	KeepPlan(ctx context.Context, workspace, id string, p AppliedPlan) error
	// ForgetPlans removes the records of all plans. If the history has ever
	// contained a plan, ForgetPlans also replaces the history's incarnation.
	// The caller must hold the workspace lock.
	ForgetPlans(ctx context.Context, workspace, incarnation string) error
}

// AppliedPlans is the history of a workspace's saved plans.
type AppliedPlans struct {
	// Incarnation is an ID that changes whenever plans are removed from the
	// history. It is "" before the first removal. For a plan with a different
	// incarnation, the history cannot show whether the plan was applied.
	Incarnation string `json:"incarnation,omitempty"`
	// Plans maps plan IDs to applied plans.
	Plans map[string]AppliedPlan `json:"plans"`
}

// AppliedPlan is the record of a saved plan.
type AppliedPlan struct {
	Begun time.Time `json:"begun"`
	// Expires is the time after which the plan can no longer be applied. After
	// that time, the record can be removed.
	Expires time.Time `json:"expires"`
	// Finished is false during an apply and after a failed or killed apply.
	// Applying the plan again resumes a failed or killed apply.
	Finished bool `json:"finished"`
}

// With returns a copy of the plans that also contains p. The copy
// does not contain plans that expired before the apply of p started.
func (all AppliedPlans) With(id string, p AppliedPlan) AppliedPlans {
	kept := map[string]AppliedPlan{}
	maps.Copy(kept, all.Plans)
	maps.DeleteFunc(kept, func(_ string, old AppliedPlan) bool { return old.Expires.Before(p.Begun) })
	kept[id] = p
	return AppliedPlans{all.Incarnation, kept}
}

// Empty reports whether the history has never contained a plan.
func (all AppliedPlans) Empty() bool { return len(all.Plans) == 0 && all.Incarnation == "" }

// plansVersion is the version of the stored format. Increase it if older programs
// must not read a changed format.
const plansVersion = 1

type plansDocument struct {
	Version int `json:"version"`
	AppliedPlans
}

// Encode returns the plans in the stored format of all clusters.
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
		return AppliedPlans{}, fmt.Errorf("decode the plan history: %w", err)
	}
	switch {
	case d.Version > plansVersion:
		return AppliedPlans{}, ErrLaterRecord
	case d.Version < 1:
		return AppliedPlans{}, errors.New("decode the plan history: missing version")
	}
	return d.AppliedPlans, nil
}
