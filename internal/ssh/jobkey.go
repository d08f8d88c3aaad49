// SPDX-License-Identifier: MPL-2.0

package ssh

import (
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/pem"
	"errors"
	"fmt"
	"io"

	"golang.org/x/crypto/ssh"
)

// hostKeyInfo distinguishes the host key from other keys that may be derived later.
const hostKeyInfo = "openpai job host key v1"

// keyComment is the comment of the job's public key in files.
const keyComment = "openpai-job"

// NewJobKey generates a job's key from 32 bytes of random data. It returns the
// key in OpenSSH's format. The caller must store the key only in a Secret.
func NewJobKey(random io.Reader) (string, error) {
	seed := make([]byte, ed25519.SeedSize)
	if _, err := io.ReadFull(random, seed); err != nil {
		return "", fmt.Errorf("create the ssh key of a job: %w", err)
	}
	block, err := ssh.MarshalPrivateKey(ed25519.NewKeyFromSeed(seed), keyComment)
	if err != nil {
		return "", fmt.Errorf("create the ssh key of a job: %w", err)
	}
	return string(pem.EncodeToMemory(block)), nil
}

// JobKey is the key pair of a job. The owner and the tasks of the job log in with
// this key pair. The host key of all tasks is derived from it.
type JobKey struct {
	text        string
	login, host ssh.Signer
}

// ParseJobKey parses the result of [NewJobKey].
func ParseJobKey(text string) (*JobKey, error) {
	raw, err := ssh.ParseRawPrivateKey([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("read the ssh key of the job: %w", err)
	}
	private, ok := raw.(*ed25519.PrivateKey)
	if !ok {
		return nil, errors.New("read the ssh key of the job: the key is not an Ed25519 key")
	}
	seed, err := hkdf.Key(sha256.New, private.Seed(), nil, hostKeyInfo, ed25519.SeedSize)
	if err != nil {
		return nil, fmt.Errorf("derive the host key of the job: %w", err)
	}
	k := &JobKey{text: text}
	if k.login, err = ssh.NewSignerFromSigner(private); err == nil {
		k.host, err = ssh.NewSignerFromSigner(ed25519.NewKeyFromSeed(seed))
	}
	if err != nil {
		return nil, fmt.Errorf("load the ssh key of the job: %w", err)
	}
	return k, nil
}

// Public returns the public key for logins.
func (k *JobKey) Public() ssh.PublicKey { return k.login.PublicKey() }

// Host returns the public host key of all tasks of the job.
func (k *JobKey) Host() ssh.PublicKey { return k.host.PublicKey() }
