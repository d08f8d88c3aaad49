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

// Access finds the API server from the variables that the original barrier
// knew, and else as every container in a cluster does: KUBE_APISERVER_ADDRESS,
// KUBECONFIG, then the service account below tokenDir.
// Source: microsoft/frameworkcontroller: pkg/barrier/barrier.go.
func Access(getenv func(string) string, tokenDir string) (*API, error) {
	if address := getenv("KUBE_APISERVER_ADDRESS"); address != "" && !exists(filepath.Join(tokenDir, "token")) {
		return &API{Server: address, Client: client(nil)}, nil
	}
	if file := getenv("KUBECONFIG"); file != "" {
		return kubeconfig(file)
	}
	return inCluster(getenv, tokenDir)
}

// ErrNoAccess says that nothing reports where the API server is.
var ErrNoAccess = errors.New("no API server is known: there is no service account token, and neither KUBECONFIG nor KUBE_APISERVER_ADDRESS is set")

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
	case !errors.Is(err, fs.ErrNotExist): // without it, those of the system count
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

// client keeps one connection and notices when it is dead.
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
