// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"context"
	"fmt"
	"sync"

	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// secrets reads and caches the secret values and keys for Apply. It does not
// cache values that a cluster stores.
type secrets struct {
	workspace string
	ask       func(context.Context, *resolve.Secret) (string, error)

	mu     sync.Mutex
	values map[planner.SecretID]secretValue
	keys   map[Cluster][]byte
}

type secretValue struct {
	text string
	err  error
}

func newSecrets(workspace string, read func(context.Context, *resolve.Secret) (string, error)) *secrets {
	return &secrets{workspace: workspace, ask: read, values: map[planner.SecretID]secretValue{}, keys: map[Cluster][]byte{}}
}

// SecretError is returned if the value of a declared secret cannot be read.
type SecretError struct {
	Secret *resolve.Secret
	Err    error
}

func (e *SecretError) Error() string { return fmt.Sprintf("secret %s: %s", e.Secret.Name, e.Err) }

// Unwrap returns the cause.
func (e *SecretError) Unwrap() error { return e.Err }

// read adds secret values and versions to the submission.
func (s *secrets) read(ctx context.Context, t *task, to *Submission) error {
	job := t.change.Job
	if len(job.Secrets) == 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key, err := s.key(ctx, t.cluster)
	if err != nil {
		return err
	}
	to.Secrets, to.SecretVersions, to.SecretsKey = map[string]string{}, map[string]string{}, planner.SecretKeyID(key)
	for _, secret := range job.Secrets {
		v := s.value(ctx, t.cluster, job, secret)
		if v.err != nil {
			return &SecretError{secret, v.err}
		}
		to.Secrets[secret.Name] = v.text
		to.SecretVersions[secret.Name] = planner.SecretVersion(key, secret, v.text)
	}
	return nil
}

// keyIsReadable returns an error for an unreadable key, because Apply must not
// delete a job that it cannot submit again. It does not cache the key, because
// the deletion may remove the key and the submission then creates a new one.
func (s *secrets) keyIsReadable(ctx context.Context, t *task) error {
	if job := t.change.Job; t.change.Action != planner.Replace || job == nil || len(job.Secrets) == 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := t.cluster.SecretKey(ctx, s.workspace); err != nil {
		return fmt.Errorf("get the key for secret versions: %w", err)
	}
	return nil
}

func (s *secrets) key(ctx context.Context, c Cluster) ([]byte, error) {
	if key := s.keys[c]; key != nil {
		return key, nil
	}
	key, err := c.SecretKey(ctx, s.workspace)
	if err != nil {
		return nil, fmt.Errorf("get the key for secret versions: %w", err)
	}
	s.keys[c] = key
	return key, nil
}

func (s *secrets) value(ctx context.Context, c Cluster, job *resolve.Job, secret *resolve.Secret) secretValue {
	if source, ok := c.(SecretSource); ok && InCluster(secret) {
		var v secretValue
		v.text, v.err = source.SecretValue(ctx, secret.Declared.Kubernetes.Name, secret.Declared.Kubernetes.Key)
		return v
	}
	id := planner.NewSecretID(job, secret)
	v, known := s.values[id]
	if !known {
		v.text, v.err = s.ask(ctx, secret)
		s.values[id] = v
	}
	return v
}

// InCluster reports whether the job's cluster stores the value of a secret. Such
// a secret can have different values on different clusters.
func InCluster(secret *resolve.Secret) bool {
	return secret.Declared != nil && secret.Declared.Kubernetes != nil
}

// appliedVersions returns the secret versions of a running job for an
// in-place update.
func appliedVersions(c *planner.Change) map[string]string {
	versions := map[string]string{}
	for _, s := range c.Secrets {
		if (s.State == planner.SecretUnchanged || s.State == planner.SecretNotChecked) && s.Version != "" {
			versions[s.Name] = s.Version
		}
	}
	return versions
}
