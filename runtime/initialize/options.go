// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"io"
	"path/filepath"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// Options describes the environment of an init container.
type Options struct {
	Root string // the volume
	// ConfigDirs are the directories to search for configuration, in order.
	ConfigDirs []string
	// SourceDir is the image directory with the init.d and init_plugins.yaml
	// that the image author provides.
	SourceDir  string
	LogDir     string // of this Pod
	SecretsDir string
	TokenDir   string // of the service account
	// DockerConfig is a file with registry logins.
	DockerConfig string
	// TerminationFile is an existing file that receives the reason for a failure.
	// If the file does not exist, init does not write the reason.
	TerminationFile string

	Environ        []string
	Getenv         func(string) string
	Stdout, Stderr io.Writer
	Now            func() time.Time
}

// RunSpecFile is the name, relative to the root, of the run specification that init
// creates from RUNTIME_CONFIG.
const RunSpecFile = "runtime.d/run.json"

// SpecFiles returns the possible paths of a task role's run specification, in
// search order.
func SpecFiles(configDirs []string, role string) []string {
	var names []string
	for _, dir := range configDirs {
		names = append(names, filepath.Join(dir, filepath.Base(contract.RunSpecFile)))
		if role != "" {
			names = append(names, filepath.Join(dir, role+".json"))
		}
	}
	return names
}

// path converts the path of a directory below the default root to a path below
// o.Root.
func (o *Options) path(path string) string {
	rel, err := filepath.Rel(contract.Root, path)
	if err != nil {
		panic("initialize: " + err.Error())
	}
	return filepath.Join(o.Root, rel)
}

func (o *Options) initDir() string { return o.path(contract.InitDir) }

// runtimeDir returns the directory to which init plugins write files for the task.
func (o *Options) runtimeDir() string { return o.path(contract.RuntimeDir) }
