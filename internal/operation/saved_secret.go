// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"

	"golang.org/x/crypto/scrypt"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// A workspace without applied secrets has no key for secret versions. A saved
// plan then contains a slow, salted hash of each value. The plan omits hashes
// of values shorter than minHashed, because an attacker could guess such
// values.
const (
	minHashed  = 6
	scryptCost = 1 << 15 // 32 MiB and 0.1 seconds per guess
	hashSize   = 32
)

// slowHash returns the hash of a value, or "" for a value shorter than
// minHashed.
func slowHash(value string, salt []byte) (string, error) {
	if len(value) < minHashed {
		return "", nil
	}
	sum, err := scrypt.Key([]byte(value), salt, scryptCost, 8, 1, hashSize)
	if err != nil {
		return "", fmt.Errorf("hash a secret: %w", err)
	}
	return hex.EncodeToString(sum), nil
}

// savedSecret is a declared secret of a job on a cluster.
type savedSecret struct {
	cluster string
	*resolve.Secret
}

// key identifies the value of a secret in a saved plan.
func (s savedSecret) key() string {
	key := s.Name + " " + string(s.Declared.Path)
	if cluster.InCluster(s.Secret) {
		key += " " + s.cluster
	}
	return key
}

// secretHashes returns the hashes of unversioned secrets, keyed by
// [savedSecret.key].
func secretHashes(ctx context.Context, p *Plan, salt []byte) (map[string]string, error) {
	hashes := map[string]string{}
	for key, secret := range unversioned(p.Plan) {
		value, err := p.values.read(ctx, secret.cluster, secret.Secret)
		if err != nil {
			continue // apply reports missing values
		}
		hash, err := slowHash(value, salt)
		if err != nil {
			return nil, err
		}
		if hash != "" {
			hashes[key] = hash
		}
	}
	return hashes, nil
}

// unversioned returns declared secrets without a version, keyed by
// [savedSecret.key].
func unversioned(p *planner.Plan) map[string]savedSecret {
	all := map[string]savedSecret{}
	for _, c := range p.Changes {
		versions := map[string]string{}
		for _, s := range c.Secrets {
			versions[s.Name] = s.Version
		}
		for _, s := range secretsOf(c) {
			if secret := (savedSecret{c.Cluster, s}); s.Declared != nil && versions[s.Name] == "" {
				all[secret.key()] = secret
			}
		}
	}
	return all
}

// changedHashes lists unversioned secrets with changed values.
// [Operation.missingSecrets] reports secrets without a value. After a killed apply,
// changedHashes omits the secrets of submitted jobs, because [Saved.check] compares
// their versions.
func (s *Saved) changedHashes(ctx context.Context, now *Plan, begun bool) ([]string, error) {
	var all []string
	for key, secret := range pendingSecrets(now.Plan, begun) {
		was := s.SecretHashes[key]
		if was == "" {
			continue
		}
		value, err := now.values.read(ctx, secret.cluster, secret.Secret)
		if err != nil {
			continue
		}
		hash, err := slowHash(value, s.Salt)
		if err != nil {
			return nil, err
		}
		if hash != was {
			all = append(all, fmt.Sprintf("The secret %q has a new value", secret.Declared.Name))
		}
	}
	slices.Sort(all)
	return all, nil
}

// pendingSecrets returns the declared secrets of a plan, keyed by
// [savedSecret.key]. If begun is true, the result contains only secrets of jobs
// that the plan still changes.
func pendingSecrets(p *planner.Plan, begun bool) map[string]savedSecret {
	all := map[string]savedSecret{}
	for _, c := range p.Changes {
		if begun && c.Action == planner.NoOp {
			continue
		}
		for _, s := range secretsOf(c) {
			if secret := (savedSecret{c.Cluster, s}); s.Declared != nil {
				all[secret.key()] = secret
			}
		}
	}
	return all
}

// uncheckedReplacements returns current changes to jobs with an unavailable
// secret value. The saved plan replaces these jobs because the value was new.
// Without the value, the current plan does not change these jobs.
func (s *Saved) uncheckedReplacements(now *Plan) []*planner.Change {
	var all []*planner.Change
	s.pairs(now, func(before, after *planner.Change) {
		if before != nil && after != nil && planner.SecretsUnchecked(before, after) {
			all = append(all, after)
		}
	})
	return all
}
