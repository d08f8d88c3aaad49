// SPDX-License-Identifier: MPL-2.0

//go:build acc

package apitest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// Server is a running control plane without nodes.
type Server struct {
	// Config is an administrator's configuration for the server.
	Config *rest.Config
	// Kubeconfig is the path of a kubeconfig with the same credentials as
	// Config and the namespace "default".
	Kubeconfig string
	Dir        string

	processes []*process
}

// startTime is the maximum time in which the whole control plane must start.
const startTime = 2 * time.Minute

// Start starts a control plane with the Framework CRD. Start waits until the
// namespace "default" contains the default service account. flags are additional
// flags for the API server.
func Start(ctx context.Context, flags ...string) (*Server, error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	dir, err := newDir()
	if err != nil {
		return nil, err
	}
	s := &Server{Dir: dir}
	if err := s.start(ctx, flags); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

func (s *Server) start(ctx context.Context, flags []string) error {
	ports, err := freePorts(ctx, 4)
	if err != nil {
		return err
	}
	pki, err := newPKI(s.Dir)
	if err != nil {
		return err
	}
	if err := s.startEtcd(ports[0], ports[1]); err != nil {
		return err
	}
	if err := s.startAPIServer(ports[0], ports[2], pki, flags); err != nil {
		return err
	}
	if err := s.waitReady(ctx); err != nil {
		return err
	}
	if err := s.createCRD(ctx); err != nil {
		return err
	}
	// The garbage collector handles only the kinds that exist when it starts.
	if err := s.startControllers(ports[3], pki); err != nil {
		return err
	}
	return s.waitFor(ctx, "the default service account", func(ctx context.Context) error {
		_, err := s.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "serviceaccounts"}).Namespace("default").Get(ctx, "default", metav1.GetOptions{})
		return err
	})
}

func (s *Server) startEtcd(port, peer int) error {
	return s.run("etcd",
		"--data-dir="+filepath.Join(s.Dir, "etcd"), "--unsafe-no-fsync",
		fmt.Sprintf("--listen-client-urls=http://127.0.0.1:%d", port), fmt.Sprintf("--advertise-client-urls=http://127.0.0.1:%d", port),
		fmt.Sprintf("--listen-peer-urls=http://127.0.0.1:%d", peer))
}

func (s *Server) startAPIServer(etcd, port int, p *pki, flags []string) error {
	err := s.run("kube-apiserver", append([]string{
		fmt.Sprintf("--etcd-servers=http://127.0.0.1:%d", etcd), fmt.Sprintf("--secure-port=%d", port), "--bind-address=127.0.0.1",
		"--tls-cert-file=" + p.cert, "--tls-private-key-file=" + p.key, "--token-auth-file=" + p.tokens,
		"--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file=" + p.accountKey, "--service-account-signing-key-file=" + p.accountKey,
		"--authorization-mode=RBAC", "--service-cluster-ip-range=10.96.0.0/16", "--allow-privileged=true",
	}, flags...)...)
	if err != nil {
		return err
	}
	s.Config = &rest.Config{
		Host: fmt.Sprintf("https://127.0.0.1:%d", port), BearerToken: adminToken, QPS: -1,
		TLSClientConfig: rest.TLSClientConfig{CAFile: p.cert},
	}
	s.Kubeconfig, err = s.WriteKubeconfig("admin", s.Config.Host, "default")
	return err
}

func (s *Server) startControllers(port int, p *pki) error {
	return s.run("kube-controller-manager",
		"--kubeconfig="+s.Kubeconfig, "--leader-elect=false", "--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", port),
		"--cert-dir="+filepath.Join(s.Dir, "controllers"), "--service-account-private-key-file="+p.accountKey, "--root-ca-file="+p.cert,
		"--controllers=garbage-collector-controller,serviceaccount-controller,serviceaccount-token-controller,root-ca-certificate-publisher-controller,namespace-controller,clusterrole-aggregation-controller",
		"--kube-api-qps=500", "--kube-api-burst=1000", "--concurrent-gc-syncs=20")
}

// WriteKubeconfig writes a kubeconfig for the administrator. host is the URL of the
// server or of a proxy in front of it.
func (s *Server) WriteKubeconfig(name, host, namespace string) (string, error) {
	file := filepath.Join(s.Dir, name+".kubeconfig")
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {server: %q, certificate-authority: %q}}]
users: [{name: test, user: {token: %q}}]
contexts: [{name: test, context: {cluster: test, user: test, namespace: %q}}]
current-context: test
`, host, s.Config.CAFile, s.Config.BearerToken, namespace)
	return file, os.WriteFile(file, []byte(text), 0o600)
}

// Dynamic returns a client for objects of any kind.
func (s *Server) Dynamic() dynamic.Interface { return dynamic.NewForConfigOrDie(s.Config) }

func (s *Server) waitReady(ctx context.Context) error {
	client, err := rest.HTTPClientFor(s.Config)
	if err != nil {
		return err
	}
	return s.waitFor(ctx, "the API server", func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Config.Host+"/readyz", nil)
		if err != nil {
			return err
		}
		res, err := client.Do(req)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		if res.StatusCode != http.StatusOK {
			return errors.New(res.Status)
		}
		return nil
	})
}

func (s *Server) createCRD(ctx context.Context) error {
	var crd map[string]any
	if err := yaml.Unmarshal(framework.CRD(), &crd); err != nil {
		return err
	}
	kinds := s.Dynamic().Resource(schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"})
	if _, err := kinds.Create(ctx, &unstructured.Unstructured{Object: crd}, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("create the Framework CRD: %w", err)
	}
	return s.waitFor(ctx, "the Framework CRD", func(ctx context.Context) error {
		_, err := s.Dynamic().Resource(Frameworks).Namespace("default").List(ctx, metav1.ListOptions{Limit: 1})
		return err
	})
}

// Frameworks is the GroupVersionResource of Frameworks.
var Frameworks = schema.GroupVersionResource{Group: "frameworkcontroller.microsoft.com", Version: "v1", Resource: "frameworks"}

// waitFor calls the function ready repeatedly until ready succeeds or a process
// ends.
func (s *Server) waitFor(ctx context.Context, what string, ready func(context.Context) error) error {
	for {
		err := ready(ctx)
		if err == nil {
			return nil
		}
		for _, p := range s.processes {
			if ended := p.ended(); ended != nil {
				return fmt.Errorf("wait for %s: %w", what, ended)
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", what, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Stop stops all processes and removes their data.
func (s *Server) Stop() {
	for i := len(s.processes) - 1; i >= 0; i-- {
		s.processes[i].stop()
	}
	_ = os.RemoveAll(s.Dir)
}

func freePorts(ctx context.Context, n int) ([]int, error) {
	var ports []int
	for range n {
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		defer func() { _ = l.Close() }()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}

// WriteKubeconfigAs writes a kubeconfig for a user whose only group is
// system:authenticated. host is the URL of the server or of a proxy in front of it.
func (s *Server) WriteKubeconfigAs(user, host, namespace string) (string, error) {
	file := filepath.Join(s.Dir, user+"-"+namespace+".kubeconfig")
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {server: %q, certificate-authority: %q}}]
users: [{name: test, user: {token: %q, as: %q}}]
contexts: [{name: test, context: {cluster: test, user: test, namespace: %q}}]
current-context: test
`, host, s.Config.CAFile, s.Config.BearerToken, user, namespace)
	return file, os.WriteFile(file, []byte(text), 0o600)
}
