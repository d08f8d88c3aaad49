// SPDX-License-Identifier: MPL-2.0

package ssh

import (
	"crypto/rsa"
	"fmt"
	"strings"

	"golang.org/x/crypto/ssh"
)

// ParseAuthorized parses public keys, one per line, in OpenSSH's authorized_keys
// format. It skips unusable lines and returns an error for each of them. Lines
// with options are unusable, because the server would ignore a restriction in an
// option.
func ParseAuthorized(text string) ([]ssh.PublicKey, []error) {
	var keys []ssh.PublicKey
	var refused []error
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, err := authorized(line)
		if err != nil {
			refused = append(refused, err)
			continue
		}
		keys = append(keys, key)
	}
	return keys, refused
}

func authorized(line string) (ssh.PublicKey, error) {
	key, _, options, _, err := ssh.ParseAuthorizedKey([]byte(line))
	if err != nil {
		return nil, fmt.Errorf("%.40q is not a public key in the authorized_keys format", line)
	}
	if len(options) > 0 {
		return nil, fmt.Errorf("the public key %s has options (%s), which this server does not support", ssh.FingerprintSHA256(key), strings.Join(options, ","))
	}
	if _, isCertificate := key.(*ssh.Certificate); isCertificate {
		return nil, fmt.Errorf("the public key %s is a certificate; use a plain public key", ssh.FingerprintSHA256(key))
	}
	if bits := rsaBits(key); bits > 0 && bits < minRSABits {
		return nil, fmt.Errorf("the public key %s is an RSA key with %d bits; use a key with at least %d bits", ssh.FingerprintSHA256(key), bits, minRSABits)
	}
	return key, nil
}

// minRSABits is the minimum length in bits of an RSA key for logins. Shorter
// keys are insecure.
const minRSABits = 2048

// rsaBits returns the length of an RSA key, or 0 for other keys.
func rsaBits(key ssh.PublicKey) int {
	wrapped, ok := key.(ssh.CryptoPublicKey)
	if !ok {
		return 0
	}
	public, ok := wrapped.CryptoPublicKey().(*rsa.PublicKey)
	if !ok {
		return 0
	}
	return public.N.BitLen()
}
