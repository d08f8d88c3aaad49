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
// plan then contains a slow, salted hash of each value. An attacker could
// guess values shorter than minHashed from their hashes, so the plan does not
// contain these hashes.
const (
	minHashed  = 6
	scryptCost = 1 << 15 // 32 MiB and 0.1 seconds per guess
	hashSize   = 32
)

// slowHash returns the hash of a value, or "" if the value is too short.
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

// secretHashes returns, by key, the hashes of the unversioned secrets in a plan.
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

// unversioned returns the declared secrets of a plan that do not have a
// version, keyed by [savedSecret.key].
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

// changedHashes lists the unversioned secrets of a saved plan whose values have
// changed. [Operation.missingSecrets] reports secrets that have no value. If an apply
// of the plan was killed, changedHashes omits the secrets of submitted jobs, because
// the method check compares the versions of these secrets.
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

// pendingSecrets returns, by key, the declared secrets of the jobs in a plan. If
// begun is true, it returns only the secrets of the jobs that the plan still changes.
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

// uncheckedReplacements returns the current plan's changes to jobs that have
// an unavailable secret value. The saved plan replaces these jobs because the
// value was new. Without the value, the current plan does not change these
// jobs.
func (s *Saved) uncheckedReplacements(now *Plan) []*planner.Change {
	var all []*planner.Change
	s.pairs(now, func(before, after *planner.Change) {
		if before != nil && after != nil && planner.SecretsUnchecked(before, after) {
			all = append(all, after)
		}
	})
	return all
}
