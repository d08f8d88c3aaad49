// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"crypto/rand"
	"io"
	"maps"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/ssh"
)

// addJobKey adds an ssh key to the secrets if the job uses ssh. Only the job's Secret
// contains the key.
func addJobKey(s *Submission, random io.Reader) error {
	if !s.Job.UsesSSH() {
		return nil
	}
	if random == nil {
		random = rand.Reader
	}
	key, err := ssh.NewJobKey(random)
	if err != nil {
		return err
	}
	s.Secrets = maps.Clone(s.Secrets)
	if s.Secrets == nil {
		s.Secrets = map[string]string{}
	}
	s.Secrets[contract.SecretJobKey] = key
	return nil
}
