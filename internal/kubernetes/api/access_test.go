// SPDX-License-Identifier: MPL-2.0

package api

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// identity starts a server that returns the identity of the caller.
func identity(t *testing.T) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		if len(r.TLS.PeerCertificates) > 0 {
			who = r.TLS.PeerCertificates[0].Subject.CommonName
		}
		_, _ = fmt.Fprintf(w, "%q", who)
	}))
	s.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// clientPair returns a client certificate and key for the user ada.
func clientPair(t *testing.T) (certificate string, key *hclspec.Sensitive) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "ada"}, NotAfter: time.Now().Add(time.Hour)}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return asPEM("CERTIFICATE", cert), hclspec.NewSensitive(asPEM("EC PRIVATE KEY", der))
}

func asPEM(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

// program returns a credential plugin that prints the environment variable
// TOKEN as a credential.
func program(t *testing.T) *hclspec.ExecCredential {
	t.Helper()
	file := filepath.Join(t.TempDir(), "login")
	text := "#!/bin/sh\nprintf '{\"apiVersion\":\"%s\",\"kind\":\"ExecCredential\",\"status\":{\"token\":\"%s\"}}' \"$1\" \"$TOKEN\"\n"
	if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	version := "client.authentication.k8s.io/v1"
	return &hclspec.ExecCredential{APIVersion: version, Command: file, Args: []string{version}, Env: map[string]*hclspec.Sensitive{"TOKEN": hclspec.NewSensitive("from-exec")}}
}

// tunnel starts a proxy that counts its connections.
func tunnel(t *testing.T, count *atomic.Int32) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count.Add(1)
		there, err := net.Dial("tcp", r.Host)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		here, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			_ = there.Close()
			return
		}
		_, _ = io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(there, buffered); _ = there.Close() }()
		go func() { _, _ = io.Copy(here, there); _ = here.Close() }()
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestAServerIsReachedByValues(t *testing.T) {
	s := identity(t)
	ca := asPEM("CERTIFICATE", s.Certificate().Raw)
	token := hclspec.NewSensitive("from-token")
	certificate, key := clientPair(t)
	var proxied atomic.Int32
	content := fmt.Sprintf(`{"clusters":[{"name":"a","cluster":{"server":%q,"insecure-skip-tls-verify":true}}],"users":[{"name":"a","user":{"token":"from-content"}}],`+
		`"contexts":[{"name":"a","context":{"cluster":"a","user":"a","namespace":"there"}}]}`, s.URL)
	file := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(content, "from-content", "from-file")), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		access  hclspec.ClusterAccess
		context string
		who, ns string
		failed  string
	}{
		"a token":                     {hclspec.ClusterAccess{Host: s.URL, CertificateAuthority: ca, Token: token}, "", "from-token", "default", ""},
		"a client certificate":        {hclspec.ClusterAccess{Host: s.URL, CertificateAuthority: ca, ClientCertificate: certificate, ClientKey: key}, "", "ada", "default", ""},
		"a program":                   {hclspec.ClusterAccess{Host: s.URL, CertificateAuthority: ca, Exec: program(t)}, "", "from-exec", "default", ""},
		"any certificate":             {hclspec.ClusterAccess{Host: s.URL, Insecure: true, Token: token}, "", "from-token", "default", ""},
		"an untrusted certificate":    {hclspec.ClusterAccess{Host: s.URL, Token: token}, "", "", "", "certificate"},
		"the name of the certificate": {hclspec.ClusterAccess{Host: s.URL, CertificateAuthority: ca, TLSServerName: "example.com", Token: token}, "", "from-token", "default", ""},
		"another name":                {hclspec.ClusterAccess{Host: s.URL, CertificateAuthority: ca, TLSServerName: "other.test", Token: token}, "", "", "", "other.test"},
		"a proxy":                     {hclspec.ClusterAccess{Host: s.URL, CertificateAuthority: ca, ProxyURL: tunnel(t, &proxied), Token: token}, "", "from-token", "default", ""},
		"the content of a kubeconfig": {hclspec.ClusterAccess{Kubeconfig: hclspec.NewSensitive(content)}, "a", "from-content", "there", ""},
		"files, one of which exists":  {hclspec.ClusterAccess{ConfigPaths: []string{file, file + "2"}}, "a", "from-file", "there", ""},
		"content that is not valid":   {hclspec.ClusterAccess{Kubeconfig: hclspec.NewSensitive("token: [secret")}, "", "", "", "is not valid"},
	}
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			timeouts := DefaultTimeouts
			timeouts.Attempts = 1
			client, err := Connect(&hclspec.Cluster{Name: "gpu", Access: &tt.access, Context: tt.context}, timeouts)
			var who string
			if err == nil {
				err = client.Do(t.Context(), Request{Method: http.MethodGet, Path: "/whoami", What: "ask who I am"}, &who)
			}
			if tt.failed != "" {
				if err == nil || !strings.Contains(err.Error(), tt.failed) || strings.Contains(err.Error(), "secret") {
					t.Errorf("error %v, want an error that contains %q", err, tt.failed)
				}
				return
			}
			if err != nil || who != tt.who || client.Namespace() != tt.ns {
				t.Errorf("%q in %q, want %q in %q: %v", who, client.Namespace(), tt.who, tt.ns, err)
			}
		})
	}
	if proxied.Load() == 0 {
		t.Error("the proxy was not used")
	}
}
