// SPDX-License-Identifier: MPL-2.0

//go:build acc

package apitest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// adminToken is the credential of the administrator. The server listens only on
// the loopback interface.
const adminToken = "apitest-admin"

// pki contains the paths of the control plane's credential files.
type pki struct{ cert, key, accountKey, tokens string }

func newPKI(dir string) (*pki, error) {
	p := &pki{
		cert: filepath.Join(dir, "server.crt"), key: filepath.Join(dir, "server.key"),
		accountKey: filepath.Join(dir, "accounts.key"), tokens: filepath.Join(dir, "tokens.csv"),
	}
	if err := p.writeServer(); err != nil {
		return nil, err
	}
	accounts, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	if err := writePEM(p.accountKey, "RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(accounts)); err != nil {
		return nil, err
	}
	return p, os.WriteFile(p.tokens, []byte(adminToken+",admin,admin,system:masters\n"), 0o600)
}

// writeServer creates a self-signed certificate for the server and for proxies in
// front of it.
func (p *pki) writeServer() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "apitest"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, BasicConstraintsValid: true, IsCA: true,
		DNSNames: []string{"localhost", "kubernetes.default.svc"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv4(10, 96, 0, 1)},
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return err
	}
	text, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	if err := writePEM(p.key, "EC PRIVATE KEY", text); err != nil {
		return err
	}
	return writePEM(p.cert, "CERTIFICATE", cert)
}

func writePEM(file, kind string, content []byte) error {
	return os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600)
}
