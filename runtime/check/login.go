// SPDX-License-Identifier: MPL-2.0

package check

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// Login is a username and password for a registry.
type Login struct{ Username, Password string }

// Logins maps registries to logins.
type Logins map[string]Login

// ReadLogins reads a docker configuration file, such as the file in a Secret of
// type kubernetes.io/dockerconfigjson. If the file does not exist, ReadLogins
// returns no logins.
func ReadLogins(file string) (Logins, error) {
	text, err := os.ReadFile(file)
	if file == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the registry logins: %w", err)
	}
	var config struct {
		Auths map[string]struct {
			Username, Password, Auth string
		} `json:"auths"`
	}
	if json.Unmarshal(text, &config) != nil {
		return nil, fmt.Errorf("read the registry logins: %s is not a docker configuration", file) // the error must not contain the content of the file
	}
	logins := Logins{}
	for registry, a := range config.Auths {
		l := Login{a.Username, a.Password}
		if decoded, err := base64.StdEncoding.DecodeString(a.Auth); err == nil && a.Auth != "" {
			l.Username, l.Password, _ = strings.Cut(string(decoded), ":")
		}
		if l.Username != "" {
			logins[registryName(registry)] = l
		}
	}
	return logins, nil
}

// dockerHub is the default registry, which has several names.
const dockerHub = "docker.io"

// registryName returns the canonical name of a registry.
func registryName(text string) string {
	text = strings.TrimPrefix(strings.TrimPrefix(text, "https://"), "http://")
	text, _, _ = strings.Cut(text, "/")
	switch text {
	case "index.docker.io", "registry-1.docker.io", "registry.hub.docker.com":
		return dockerHub
	}
	return text
}
