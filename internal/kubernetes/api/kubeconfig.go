// SPDX-License-Identifier: MPL-2.0

package api

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Connect returns a client of the API server. It uses the first of: the access of
// the cluster block, the kubeconfig of the cluster block, the files in
// KUBECONFIG, ~/.kube/config, and the service account of the Pod that this
// program runs in. Credential plugins run when needed; Connect sends no request.
func Connect(c *hclspec.Cluster, t Timeouts) (*Client, error) {
	loader, err := clientConfig(c)
	if err != nil {
		return nil, err
	}
	config, err := loader.ClientConfig()
	if clientcmd.IsEmptyConfig(err) {
		return nil, fmt.Errorf("cluster %s: no kubeconfig was found; set kubeconfig in the cluster block, or the variable KUBECONFIG", c.Name)
	}
	if err != nil {
		return nil, fmt.Errorf("read the kubeconfig of cluster %s: %w", c.Name, err)
	}
	namespace := c.Namespace
	if namespace == "" {
		if namespace, _, err = loader.Namespace(); err != nil {
			return nil, fmt.Errorf("read the namespace of cluster %s: %w", c.Name, err)
		}
	}
	return dial(config, namespace, t)
}

func clientConfig(c *hclspec.Cluster) (clientcmd.ClientConfig, error) {
	overrides := &clientcmd.ConfigOverrides{CurrentContext: c.Context}
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	switch a := c.Access; {
	case a == nil && c.Kubeconfig != "":
		rules.ExplicitPath = expandHome(c.Kubeconfig)
	case a == nil:
	case a.Kubeconfig != nil:
		config, err := clientcmd.Load([]byte(a.Kubeconfig.Reveal()))
		if err != nil { // the error may quote a credential
			return nil, fmt.Errorf("the content of the kubeconfig of cluster %s is not a kubeconfig", c.Name)
		}
		return clientcmd.NewDefaultClientConfig(*config, overrides), nil
	case a.Host != "":
		return clientcmd.NewDefaultClientConfig(*accessConfig(a), &clientcmd.ConfigOverrides{}), nil
	default:
		rules = &clientcmd.ClientConfigLoadingRules{}
		for _, path := range a.ConfigPaths {
			rules.Precedence = append(rules.Precedence, expandHome(path))
		}
	}
	return clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides), nil
}

// dialTimeout limits the time to connect to the API server.
const dialTimeout = 10 * time.Second

// dial creates a client for a configuration. This package limits concurrent
// requests, not client-go, and opens as many connections to the server as there
// are requests.
func dial(config *rest.Config, namespace string, t Timeouts) (*Client, error) {
	config = rest.CopyConfig(config)
	config.UserAgent = "openpai"
	upgrading := rest.CopyConfig(config)
	config.Dial = (&net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}).DialContext
	plain, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", config.Host, err)
	}
	host, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, fmt.Errorf("address of the API server %s: %w", config.Host, err)
	}
	c := New(plain, host, namespace, t)
	c.config = upgrading
	return c, nil
}

func expandHome(path string) string {
	rest, ok := strings.CutPrefix(path, "~/")
	if !ok {
		return path
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	return filepath.Join(home, rest)
}
