// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// SecretVersion returns the version of a secret value. By default, the version
// is an HMAC-SHA256 of the value with the workspace key; the user can set a
// different version. The HMAC reveals only whether the value changed or comes
// from a different Kubernetes Secret or key. Without a workspace key,
// SecretVersion returns "" instead of the HMAC.
func SecretVersion(key []byte, s *resolve.Secret, value string) string {
	if s.Version != "" {
		return "v:" + s.Version
	}
	if key == nil {
		return ""
	}
	// Including the name gives different secrets with the same value
	// different versions.
	return keyedPrefix + hex.EncodeToString(keyedSum(key, s.Name+"\x00"+place(s)+value))
}

// place identifies the source in Kubernetes: the Secret and its key. It
// returns "" for secrets from other sources.
func place(s *resolve.Secret) string {
	if s.Declared == nil || s.Declared.Kubernetes == nil {
		return ""
	}
	return "kubernetes/" + s.Declared.Kubernetes.Name + "/" + s.Declared.Kubernetes.Key + "\x00"
}

// keyedPrefix is the prefix of versions that depend on the key.
const keyedPrefix = "hmac:"

// Keyed reports whether a version depends on the workspace key. Such versions
// are comparable only if the same key produced them.
func Keyed(version string) bool { return strings.HasPrefix(version, keyedPrefix) }

// SecretKeyID returns an identifier of a workspace key, or "" without a key. The
// identifier is an HMAC with that key, and does not disclose the key. The
// identifier never equals a version, because only the HMAC inputs of versions
// contain a NUL byte.
func SecretKeyID(key []byte) string {
	const digits = 16
	if key == nil {
		return ""
	}
	return hex.EncodeToString(keyedSum(key, "id of the key for secret versions"))[:digits]
}

func keyedSum(key []byte, input string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(input))
	return mac.Sum(nil)
}

// minMasked is the minimum length of values that the runtime masks in logs.
const minMasked = 4

// secretReader reads each value once, even if many jobs use the value.
type secretReader struct {
	value func(string, *resolve.Secret) (string, bool)
	seen  map[SecretID]secretValue
}

// SecretID identifies a secret value. It distinguishes secrets with the same
// name in two protocol files or on two clusters.
type SecretID struct {
	declared *hclspec.Secret
	cluster  string          // set if the cluster stores the value
	job      hclspec.Address // set if the declaration is unknown
	name     string
}

// NewSecretID returns the identity of a secret. All uses of one declaration have
// the same identity. For a Kubernetes Secret, this applies only to uses on the
// same cluster.
func NewSecretID(job *resolve.Job, s *resolve.Secret) SecretID {
	switch {
	case s.Declared == nil:
		return SecretID{job: job.Address, name: s.Name}
	case s.Declared.Kubernetes != nil:
		return SecretID{declared: s.Declared, cluster: job.Cluster}
	}
	return SecretID{declared: s.Declared}
}

type secretValue struct {
	text  string
	known bool
}

func (r *secretReader) read(job *resolve.Job, s *resolve.Secret) (v secretValue, first bool) {
	id := NewSecretID(job, s)
	v, again := r.seen[id]
	if !again {
		if r.value != nil {
			v.text, v.known = r.value(job.Cluster, s)
		}
		r.seen[id] = v
	}
	return v, !again
}

// secretChanges compares secrets with the applied versions. The map applied
// is nil for a job that was never applied.
func (p *planning) secretChanges(job *resolve.Job, key []byte, applied map[string]string) []SecretChange {
	changes := make([]SecretChange, 0, len(job.Secrets))
	for _, s := range job.Secrets {
		v, first := p.secrets.read(job, s)
		if first && v.known && len(v.text) > 0 && len(v.text) < minMasked {
			p.find(ShortSecret.At(p.secretRange(s),
				"The value of the secret %q has fewer than %d characters, so the runtime does not mask the value in the logs of %s.", s.Name, minMasked, job.Address))
		}
		changes = append(changes, secretChange(s, v, key, applied[s.Name]))
	}
	return changes
}

func secretChange(s *resolve.Secret, v secretValue, key []byte, applied string) SecretChange {
	c := SecretChange{Name: s.Name}
	if v.known || s.Version != "" {
		c.Version = SecretVersion(key, s, v.text)
	}
	switch {
	case applied == "" && !v.known && s.Version == "":
		c.State = SecretNotChecked
	case applied == "":
		c.State = SecretNew
	case c.Version == "":
		c.State, c.Version = SecretNotChecked, applied
	case c.Version == applied:
		c.State = SecretUnchanged
	default:
		c.State = SecretChanged
	}
	return c
}

func (p *planning) secretRange(s *resolve.Secret) hcl.Range {
	if s.Declared == nil {
		return hcl.Range{}
	}
	return p.o.Sources.Range(s.Declared.Path)
}
