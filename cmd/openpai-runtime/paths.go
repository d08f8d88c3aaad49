// SPDX-License-Identifier: MPL-2.0

package main

import (
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// paths are the directories and files of a container.
type paths struct {
	root, logs, secrets, runtimeDir, source, token, logins, plugins string
	config                                                          []string
	termination, initTermination                                    string
	// sshConfig is the path of the system-wide ssh client configuration. It is empty if
	// root is not the standard root, because the program then does not run in a
	// container.
	sshConfig string
}

// Paths that are not part of the contract; only this program uses them.
const (
	// sourceDir is the directory where the author of an image places init.d and
	// init_plugins.yaml. It is outside the root, because volumes hide the image's files
	// below the root.
	sourceDir = "/etc/openpai"
	// nestedConfig is a second configuration directory, below the root.
	// Manually written Pods mount single files there.
	nestedConfig = "config"
	// initTerminationFile is the file from which Kubernetes reads the termination
	// message if a container does not set terminationMessagePath.
	initTerminationFile = "/dev/termination-log"
	// sshConfigFile is the system-wide configuration file of OpenSSH.
	sshConfigFile = "/etc/ssh/ssh_config"
)

// pathsFrom returns the paths of the runtime. Their defaults are in package
// contract. These environment variables override the defaults: PAI_ROOT_DIR,
// PAI_CONFIG_DIR, PAI_RUNTIME_DIR, PAI_INIT_SOURCE, PAI_PLUGIN_DIR,
// PAI_TOKEN_DIR, PAI_REGISTRY_LOGINS, PAI_TERMINATION_FILE.
func pathsFrom(getenv func(string) string) paths {
	or := func(name, usual string) string {
		if v := getenv(name); v != "" {
			return v
		}
		return usual
	}
	root := or("PAI_ROOT_DIR", contract.Root)
	below := func(path string) string {
		rel, err := filepath.Rel(contract.Root, path)
		if err != nil {
			panic("openpai-runtime: " + err.Error())
		}
		return filepath.Join(root, rel)
	}
	sshConfig := ""
	if root == contract.Root {
		sshConfig = sshConfigFile
	}
	return paths{
		root:            root,
		config:          []string{or("PAI_CONFIG_DIR", contract.ConfigDir), filepath.Join(root, nestedConfig)},
		logs:            filepath.Join(below(contract.LogDir), getenv(contract.EnvPodUID)),
		secrets:         below(contract.SecretsDir),
		runtimeDir:      or("PAI_RUNTIME_DIR", below(contract.RuntimeDir)),
		source:          or("PAI_INIT_SOURCE", sourceDir),
		plugins:         or("PAI_PLUGIN_DIR", below(contract.PluginDir)),
		token:           or("PAI_TOKEN_DIR", contract.TokenDir),
		logins:          or("PAI_REGISTRY_LOGINS", contract.RegistryLogins),
		termination:     or("PAI_TERMINATION_FILE", contract.TerminationFile),
		initTermination: or("PAI_TERMINATION_FILE", initTerminationFile),
		sshConfig:       sshConfig,
	}
}
