// SPDX-License-Identifier: MPL-2.0

package barrier

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Access finds the credentials for the API server and the server's address. Like
// the original barrier, it first tries KUBE_APISERVER_ADDRESS, but only if tokenDir
// contains no token, and then KUBECONFIG. Finally, it tries the service account in
// tokenDir, like other clients in a container. Source:
// microsoft/frameworkcontroller: pkg/barrier/barrier.go.
func Access(getenv func(string) string, tokenDir string) (*API, error) {
	if address := getenv("KUBE_APISERVER_ADDRESS"); address != "" && !exists(filepath.Join(tokenDir, "token")) {
		return &API{Server: address, Client: client(nil)}, nil
	}
	if file := getenv("KUBECONFIG"); file != "" {
		return kubeconfig(file)
	}
	return inCluster(getenv, tokenDir)
}

// ErrNoAccess means that no source provides the address of the API server.
var ErrNoAccess = errors.New("no API server is configured: there is no service account token, and neither KUBECONFIG nor KUBE_APISERVER_ADDRESS is set")

func inCluster(getenv func(string) string, dir string) (*API, error) {
	host, port := getenv("KUBERNETES_SERVICE_HOST"), getenv("KUBERNETES_SERVICE_PORT")
	tokenFile := filepath.Join(dir, "token")
	if !exists(tokenFile) {
		return nil, ErrNoAccess
	}
	server := "https://" + net.JoinHostPort(host, port)
	if host == "" {
		if server = getenv("KUBE_APISERVER_ADDRESS"); server == "" {
			return nil, ErrNoAccess
		}
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	authority, err := os.ReadFile(filepath.Join(dir, "ca.crt"))
	switch {
	case err == nil:
		if config.RootCAs, err = pool(authority); err != nil {
			return nil, fmt.Errorf("read the certificate of the API server: %w", err)
		}
	case !errors.Is(err, fs.ErrNotExist): // without the file, the client uses the system's certificates
		return nil, fmt.Errorf("read the certificate of the API server: %w", err)
	}
	return &API{Server: server, Client: client(config), Token: tokenOf(tokenFile)}, nil
}

func tokenOf(file string) func() (string, error) {
	return func() (string, error) {
		text, err := os.ReadFile(file)
		return strings.TrimSpace(string(text)), err
	}
}

var errNoCertificate = errors.New("it holds no certificate")

func pool(pem []byte) (*x509.CertPool, error) {
	p := x509.NewCertPool()
	if !p.AppendCertsFromPEM(pem) {
		return nil, errNoCertificate
	}
	return p, nil
}

// client returns a client that reuses one connection and detects when the
// connection is dead.
func client(config *tls.Config) *http.Client {
	return &http.Client{Transport: &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 15 * time.Second}).DialContext,
		TLSClientConfig:       config,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: requestTimeout,
		ForceAttemptHTTP2:     true,
	}}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
