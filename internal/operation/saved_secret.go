package operation

import (
	"encoding/hex"
	"fmt"
	"slices"

	"golang.org/x/crypto/scrypt"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// A workspace in which nothing with a secret was applied has no key for versions
// of secrets. A saved plan then has a slow hash of each value, with a salt. Values
// shorter than minHashed could be guessed from it and have none.
const (
	minHashed  = 6
	scryptCost = 1 << 15 // 32 MiB and a tenth of a second for each guess
	hashSize   = 32
)

// slowHash returns "" for a value that is too short.
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

// secretHashes returns the hashes of the secrets of a plan that have no version,
// by their declarations.
func (o *Operation) secretHashes(p *planner.Plan, salt []byte) (map[string]string, error) {
	hashes := map[string]string{}
	for path, declared := range unversioned(p) {
		value, err := o.options.Secret(declared)
		if err != nil {
			continue // apply reports a value that is missing
		}
		hash, err := slowHash(value, salt)
		if err != nil {
			return nil, err
		}
		if hash != "" {
			hashes[path] = hash
		}
	}
	return hashes, nil
}

// unversioned returns the declared secrets of a plan that have no version yet, by
// path.
func unversioned(p *planner.Plan) map[string]*hclspec.Secret {
	all := map[string]*hclspec.Secret{}
	for _, c := range p.Changes {
		versions := map[string]string{}
		for _, s := range c.Secrets {
			versions[s.Name] = s.Version
		}
		if c.Job == nil {
			continue
		}
		for _, s := range c.Job.Secrets {
			if s.Declared != nil && versions[s.Name] == "" {
				all[s.Name+" "+string(s.Declared.Path)] = s.Declared
			}
		}
	}
	return all
}

// changedHashes lists the secrets without a version whose value is another one now.
func (o *Operation) changedHashes(s *Saved, now *Plan) ([]string, error) {
	hashes, err := o.secretHashes(now.Plan, s.Salt)
	if err != nil {
		return nil, err
	}
	var all []string
	for path, declared := range unversioned(now.Plan) {
		if was := s.SecretHashes[path]; was != "" && hashes[path] != was {
			all = append(all, fmt.Sprintf("The secret %q has another value now", declared.Name))
		}
	}
	slices.Sort(all)
	return all, nil
}
