// SPDX-License-Identifier: MPL-2.0

package barrier

import (
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"
)

// kubeconfigFile is the part of a kubeconfig that a service uses. It omits exec
// commands and login providers, which are for interactive users.
type kubeconfigFile struct {
	CurrentContext string `yaml:"current-context"`
	Contexts       []struct {
		Name    string
		Context struct{ Cluster, User string }
	}
	Clusters []struct {
		Name    string
		Cluster kubeCluster
	}
	Users []struct {
		Name string
		User kubeUser
	}
}

type kubeCluster struct {
	Server   string
	CAFile   string `yaml:"certificate-authority"`
	CAData   string `yaml:"certificate-authority-data"`
	Insecure bool   `yaml:"insecure-skip-tls-verify"`
}

type kubeUser struct {
	Token     string
	TokenFile string `yaml:"tokenFile"`
	CertFile  string `yaml:"client-certificate"`
	CertData  string `yaml:"client-certificate-data"`
	KeyFile   string `yaml:"client-key"`
	KeyData   string `yaml:"client-key-data"`
}

var errNoContext = errors.New("its current context does not refer to a cluster with a server address")

// kubeconfig reads the current context of a kubeconfig file.
func kubeconfig(file string) (*API, error) {
	wrap := func(err error) error { return fmt.Errorf("read KUBECONFIG %s: %w", file, err) }
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, wrap(err)
	}
	var k kubeconfigFile
	if err := yaml.Unmarshal(text, &k); err != nil {
		return nil, wrap(err)
	}
	api, err := k.api(filepath.Dir(file))
	if err != nil {
		return nil, wrap(err)
	}
	return api, nil
}

func (k *kubeconfigFile) api(dir string) (*API, error) {
	var cluster, user string
	for _, c := range k.Contexts {
		if c.Name == k.CurrentContext {
			cluster, user = c.Context.Cluster, c.Context.User
		}
	}
	api, config := &API{}, &tls.Config{MinVersion: tls.VersionTLS12}
	for _, c := range k.Clusters {
		if c.Name == cluster {
			if err := c.Cluster.use(dir, api, config); err != nil {
				return nil, err
			}
		}
	}
	if api.Server == "" {
		return nil, errNoContext
	}
	for _, u := range k.Users {
		if u.Name == user {
			if err := u.User.use(dir, api, config); err != nil {
				return nil, err
			}
		}
	}
	api.Client = client(config)
	return api, nil
}

func (c *kubeCluster) use(dir string, api *API, config *tls.Config) error {
	api.Server, config.InsecureSkipVerify = c.Server, c.Insecure
	authority, err := fileOrInline(dir, c.CAFile, c.CAData)
	if err == nil && len(authority) > 0 {
		config.RootCAs, err = pool(authority)
	}
	return err
}

func (u *kubeUser) use(dir string, api *API, config *tls.Config) error {
	switch {
	case u.Token != "":
		api.Token = func() (string, error) { return u.Token, nil }
	case u.TokenFile != "":
		api.Token = tokenOf(resolvePath(dir, u.TokenFile))
	}
	certificate, err := fileOrInline(dir, u.CertFile, u.CertData)
	if err != nil {
		return err
	}
	key, err := fileOrInline(dir, u.KeyFile, u.KeyData)
	if err != nil || len(certificate) == 0 {
		return err
	}
	pair, err := tls.X509KeyPair(certificate, key)
	config.Certificates = []tls.Certificate{pair}
	return err
}

func fileOrInline(dir, file, encoded string) ([]byte, error) {
	switch {
	case encoded != "":
		return base64.StdEncoding.DecodeString(encoded)
	case file != "":
		return os.ReadFile(resolvePath(dir, file))
	}
	return nil, nil
}

func resolvePath(dir, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(dir, file)
}
