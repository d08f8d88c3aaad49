// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// envName is the name of a file or directory in the runtime directory. Init
// plugins use it to set variables for the task. A file contains NAME=value lines;
// a directory contains one file for each variable.
const envName = "env"

// Environment returns the container's environment, extended with the
// variables that init plugins have set. A plugin may override every variable
// except PAI_* and FC_*.
func Environment(runtimeDir string, environ []string) ([]string, error) {
	added, err := pluginVariables(filepath.Join(runtimeDir, envName))
	if err != nil {
		return nil, fmt.Errorf("read the variables set by init plugins: %w", err)
	}
	if len(added) == 0 {
		return environ, nil
	}
	var all []string
	for _, e := range environ {
		name, _, _ := strings.Cut(e, "=")
		if _, replaced := added[name]; !replaced || reserved(name) {
			all = append(all, e)
		}
	}
	for name, value := range added {
		if !reserved(name) {
			all = append(all, name+"="+value)
		}
	}
	return all, nil
}

func reserved(name string) bool {
	return strings.HasPrefix(name, "PAI_") || strings.HasPrefix(name, "FC_")
}

func pluginVariables(path string) (map[string]string, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		text, err := readLimited(path)
		if err != nil {
			return nil, err
		}
		return envLines(path, string(text))
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, e := range entries {
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		text, err := readLimited(filepath.Join(path, e.Name()))
		if err != nil {
			return nil, err
		}
		all[e.Name()] = strings.TrimSuffix(string(text), "\n")
	}
	return all, nil
}

// envLines parses NAME=value lines, without expansions. A line may begin with
// export. The value may be in quotes.
func envLines(path, text string) (map[string]string, error) {
	all := map[string]string{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, found := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		name = strings.TrimSpace(name)
		if !found || name == "" {
			return nil, fmt.Errorf("%s:%d: expected NAME=value", path, number)
		}
		if n := len(value); n > 1 && (value[0] == '\'' || value[0] == '"') && value[n-1] == value[0] {
			value = value[1 : n-1]
		}
		all[name] = value
	}
	return all, nil
}
