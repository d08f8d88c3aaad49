// SPDX-License-Identifier: MPL-2.0

package api

import (
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// Connect returns a client for the API server of c. It uses the first available
// source: the field Access, the field Kubeconfig, the files in KUBECONFIG,
// ~/.kube/config, or the service account of this program's Pod. Connect does
// not send any requests. Credential plugins run when the first request is sent.
func Connect(c *hclspec.Cluster, t Timeouts) (*Client, error) {
	loader, err := clientConfig(c)
	if err != nil {
		return nil, err
	}
	config, err := loader.ClientConfig()
	if clientcmd.IsEmptyConfig(err) {
		return nil, fmt.Errorf("cluster %s: %w; set \"kubeconfig\" in the cluster block, or the environment variable KUBECONFIG", c.Name, cluster.ErrNoKubeconfig)
	}
	if err != nil {
		return nil, fmt.Errorf("read the kubeconfig of cluster %s: %w", c.Name, explained(err, loader, c.Context))
	}
	namespace := c.Namespace
	if namespace == "" {
		if namespace, _, err = loader.Namespace(); err != nil {
			return nil, fmt.Errorf("read the namespace of cluster %s: %w", c.Name, err)
		}
	}
	return dial(config, namespace, t)
}

// explained adds the available contexts to the error for a missing context.
func explained(err error, loader clientcmd.ClientConfig, context string) error {
	raw, unread := loader.RawConfig()
	if unread != nil || context == "" || raw.Contexts[context] != nil || len(raw.Contexts) == 0 {
		return err
	}
	return fmt.Errorf("context %q does not exist; available contexts: %s", context, strings.Join(slices.Sorted(maps.Keys(raw.Contexts)), ", "))
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
			return nil, fmt.Errorf("the kubeconfig of cluster %s is not valid; check its syntax and fields", c.Name)
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

// dial creates a client without a rate limit and without shared connections,
// because this package limits concurrent requests.
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
		return nil, fmt.Errorf("invalid API server address %s: %w", config.Host, err)
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
