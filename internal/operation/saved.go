// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/planfile"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// Saved is a plan with the data from which it was created. It does not contain
// secret values.
type Saved struct {
	ID        string
	Created   time.Time
	Expires   time.Time
	Workspace string
	Arguments SavedArguments
	// Inputs are the hashes of the files that were read; see [SaveOptions].
	Inputs map[string]string
	// Live contains the live jobs on which the plan was based.
	Live []SavedJob
	// Runs contains the last run numbers of created jobs, keyed by cluster
	// and address.
	Runs map[string]map[hclspec.Address]int `json:",omitempty"`
	// Incarnations contains the incarnation of the workspace history, keyed
	// by cluster.
	Incarnations map[string]string `json:",omitempty"`
	// Keys contains a hash of each cluster's key for secret versions, keyed
	// by cluster.
	Keys map[string]string
	// SecretHashes contains a hash of the value of each secret without a
	// version. Salt is the salt for these hashes.
	Salt         []byte
	SecretHashes map[string]string
	// Document is the encoded plan; see planner.Plan.Encode.
	Document json.RawMessage

	plan *planner.Plan
}

// SavedArguments are the arguments of the command that saved a plan. Apply uses
// the same arguments for the saved plan.
type SavedArguments struct {
	Path         string
	Vars         []string // non-sensitive variables, as "name=value"
	Sensitive    []string // names of variables whose values apply reads again
	Assigned     []string `json:",omitempty"` // sensitive variables that the environment or an argument set
	VarFiles     []string
	Marketplaces []string
	Storages     []string
	Policies     []string // in addition to the policies that the apply command sets
	Targets      []string
	Rerun        []string
	// Name, Deployment and VirtualCluster override the values of the jobs.
	Name, Deployment, VirtualCluster string `json:",omitempty"`
}

// SavedJob is the part of a live job that a saved plan depends on.
type SavedJob struct {
	Cluster, Framework string
	UID, Hash          string
	State              RunState `json:"Life"`
}

// SaveOptions controls how a plan is saved.
type SaveOptions struct {
	Path string
	// Version is the version of the program.
	Version   string
	Now       time.Time
	Lifetime  time.Duration
	Arguments SavedArguments
	// Inputs maps the names of files that the plan read to SHA-256 hashes. A
	// hash is "" if the plan only checked whether the file exists.
	Inputs map[string]string
}

// Save writes a plan to a file.
func (o *Operation) Save(ctx context.Context, p *Plan, s SaveOptions) error {
	if p.Offline || p.Diagnostics.HasErrors() {
		return errors.New("save the plan: a saved plan must include the cluster state and have no errors")
	}
	document, err := p.Encode()
	if err != nil {
		return err
	}
	random := make([]byte, 32)
	if _, err := rand.Read(random); err != nil {
		return fmt.Errorf("save the plan: %w", err)
	}
	id, salt := random[:16], random[16:]
	hashes, err := secretHashes(ctx, p, salt)
	if err != nil {
		return err
	}
	runs, err := o.lastRuns(ctx, p)
	if err != nil {
		return fmt.Errorf("save the plan: %w", err)
	}
	incarnations, err := o.incarnations(ctx, p)
	if err != nil {
		return fmt.Errorf("save the plan: %w", err)
	}
	now := s.Now.UTC().Truncate(time.Second)
	body, err := json.Marshal(Saved{
		ID: hex.EncodeToString(id), Created: now, Expires: now.Add(s.Lifetime), Workspace: p.Workspace,
		Arguments: s.Arguments, Inputs: s.Inputs, Live: p.savedJobs(), Runs: runs, Incarnations: incarnations,
		Keys: p.savedKeys(), Salt: salt, SecretHashes: hashes, Document: document,
	})
	if err != nil {
		return fmt.Errorf("save the plan: %w", err)
	}
	return planfile.Write(s.Path, planfile.File{Version: s.Version, Body: append(body, '\n')})
}

func sums(files map[string][]byte) map[string]string {
	all := make(map[string]string, len(files))
	for name, content := range files {
		sum := sha256.Sum256(content)
		all[name] = hex.EncodeToString(sum[:])
	}
	return all
}

// savedJobs lists the live jobs of the workspace and other affected live jobs.
func (p *Plan) savedJobs() []SavedJob {
	changes := p.changes()
	var all []SavedJob
	for _, name := range slices.Sorted(maps.Keys(p.Live)) {
		for _, j := range p.Live[name].Jobs {
			if j.Workspace == p.Workspace || changes[place{name, j.Framework}] != nil {
				all = append(all, SavedJob{Cluster: name, Framework: j.Framework, UID: j.UID, Hash: j.Hash, State: RunStateOf(j)})
			}
		}
	}
	return all
}

// savedKeys returns hashes of the cluster keys. Keys are random, so a hash
// reveals nothing about its key.
func (p *Plan) savedKeys() map[string]string {
	keys := map[string][]byte{}
	for name, s := range p.Live {
		if s.SecretKey != nil {
			keys[name] = s.SecretKey
		}
	}
	return sums(keys)
}

// OpenSaved reads a saved plan. The diagnostics include problems with the file that
// prevent an apply. If OpenSaved returns a plan, callers can show it despite these
// problems.
func OpenSaved(path, version string, now time.Time) (*Saved, hcl.Diagnostics, error) {
	file, err := planfile.Read(path)
	if errors.Is(err, planfile.ErrTampered) {
		return nil, hcl.Diagnostics{SavedPlanTampered.At(hcl.Range{}, "%s was changed after it was saved: its content does not match the checksum in its first line. Nothing was applied. Save a new plan.", path)}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if file.Version != version {
		return nil, hcl.Diagnostics{SavedPlanVersion.At(hcl.Range{}, "%[1]s was saved by version %[2]s, but this is version %[3]s. Use the version that saved the plan, or save a new plan.", path, file.Version, version)}, nil
	}
	s := &Saved{}
	if err := json.Unmarshal(file.Body, s); err != nil {
		return nil, nil, fmt.Errorf("read the plan %s: %w", path, err)
	}
	if s.plan, err = planner.DecodePlan(s.Document); err != nil {
		return nil, nil, fmt.Errorf("read the plan %s: %w", path, err)
	}
	if now.After(s.Expires) {
		return s, hcl.Diagnostics{SavedPlanExpired.At(hcl.Range{}, "%s was saved at %s and expired at %s. Save a new plan.", path, s.Created.Format(time.RFC3339), s.Expires.Format(time.RFC3339))}, nil
	}
	return s, nil, nil
}

// Plan returns the plan as saved. It can be shown but not applied.
func (s *Saved) Plan() *planner.Plan { return s.plan }

func (s *Saved) clusters(all map[string]cluster.Cluster) map[string]cluster.PlanHistory {
	return historians(s.plan, all)
}

// historians returns the clusters that a plan changes, if they record applied
// plans.
func historians(p *planner.Plan, all map[string]cluster.Cluster) map[string]cluster.PlanHistory {
	changed := map[string]cluster.PlanHistory{}
	for _, c := range p.Changes {
		if h, ok := all[c.Cluster].(cluster.PlanHistory); ok && c.Action != planner.NoOp {
			changed[c.Cluster] = h
		}
	}
	return changed
}
