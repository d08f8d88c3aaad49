package ssh

import (
	"crypto/rsa"
	"fmt"
	"strings"

	"golang.org/x/crypto/ssh"
)

// ParseAuthorized reads public keys, one in a line, as in OpenSSH's
// authorized_keys. Lines that cannot be used are reported and let nobody in:
// those with options too, since a restriction must not get lost.
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
		return nil, fmt.Errorf("%.40q is not a public key as in authorized_keys", line)
	}
	if len(options) > 0 {
		return nil, fmt.Errorf("the public key %s has options (%s), which this server does not know", ssh.FingerprintSHA256(key), strings.Join(options, ","))
	}
	if _, isCertificate := key.(*ssh.Certificate); isCertificate {
		return nil, fmt.Errorf("the public key %s is a certificate; only plain keys may log in", ssh.FingerprintSHA256(key))
	}
	if bits := rsaBits(key); bits > 0 && bits < minRSABits {
		return nil, fmt.Errorf("the public key %s is an RSA key that has %d bits; RSA keys need at least %d", ssh.FingerprintSHA256(key), bits, minRSABits)
	}
	return key, nil
}

// minRSABits is the shortest RSA key that may log in. Shorter ones can be
// broken; OpenSSH wants as many or more.
const minRSABits = 2048

// rsaBits is the length of the modulus of an RSA key, 0 for other keys.
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
