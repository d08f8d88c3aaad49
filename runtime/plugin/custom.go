// SPDX-License-Identifier: MPL-2.0

//go:build unix

package plugin

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/internal/shellquote"
	"github.com/openpai/terraform-provider-openpai/internal/template"
)

// customConfig is the configuration of a third-party plugin. It uses the same keys
// as a plugin in an OpenPAI job. The file contains JSON, which is also valid YAML.
type customConfig struct {
	Plugin        string         `json:"plugin"`
	Name          string         `json:"name"`
	Type          string         `json:"type,omitempty"`
	FailurePolicy string         `json:"failurePolicy"`
	Parameters    map[string]any `json:"parameters"`
}

// custom runs the init script of a third-party plugin. The configuration is on
// standard input, and in the file named by the script's first argument. The
// second and third arguments are also filenames. The init script may write a
// taskStarts script to the second file and a taskSucceeds script to the third
// file. These scripts become callbacks of the step. Source:
// microsoft/openpai-runtime: src/init.d/initializer.py. The original runtime
// passes the configuration itself, including secrets, as an argument.
func custom(t Task, step *runspec.Step, name string) Result {
	if !filepath.IsLocal(name) {
		return failed("failed: invalid plugin directory %q: use a path below the plugin root", name)
	}
	dir := filepath.Join(t.Attempt().PluginDir, name)
	d, err := readDescription(dir)
	if err != nil {
		return failed("failed: %v", err)
	}
	if d.initScript == "" {
		return Result{}
	}
	program := filepath.Join(dir, d.initScript)
	if info, err := os.Stat(program); err != nil || !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		return failed("failed: init-script %s is not an executable file", program)
	}
	scratch, err := os.MkdirTemp(t.Attempt().Root, "plugin-")
	if err != nil {
		return failed("failed: %v", err)
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	config, pre, post := filepath.Join(scratch, "config.json"), filepath.Join(scratch, "pre.sh"), filepath.Join(scratch, "post.sh")
	if err := writeConfig(config, t, step, d.name); err != nil {
		return failed("failed: %v", err)
	}
	result := t.Run("exec " + shellquote.Quote(program) + " " + shellquote.Quote(config) + " " + shellquote.Quote(pre) + " " + shellquote.Quote(post) + " <" + shellquote.Quote(config))
	if !result.ok() {
		return result
	}
	if err := addScripts(step, pre, post); err != nil {
		return failed("failed: %v", err)
	}
	return Result{}
}

// readDescription rejects a plugin whose program is not in the plugin's
// directory.
func readDescription(dir string) (description, error) {
	file := filepath.Join(dir, "desc.yaml")
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return description{}, fmt.Errorf("there is no %s", file)
	}
	if err != nil {
		return description{}, err
	}
	d, err := parseDescription(string(text))
	if err != nil {
		return d, fmt.Errorf("%s: %w", file, err)
	}
	if d.initScript != "" && !filepath.IsLocal(d.initScript) {
		return d, fmt.Errorf("%s: init-script %q is outside the plugin's directory", file, d.initScript)
	}
	return d, nil
}

func writeConfig(file string, t Task, step *runspec.Step, name string) error {
	filled, err := fill(t, step.Parameters)
	if err != nil {
		return err
	}
	parameters, _ := filled.(map[string]any)
	text, err := json.Marshal(customConfig{Plugin: name, Name: step.Name, Type: step.Type, FailurePolicy: step.FailurePolicy, Parameters: parameters})
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

// fill renders every string in a value, except object keys.
func fill(t Task, value any) (any, error) {
	switch v := value.(type) {
	case string:
		return t.Text(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, element := range v {
			filled, err := fill(t, element)
			if err != nil {
				return nil, err
			}
			out[key] = filled
		}
		return out, nil
	case []any:
		out := make([]any, len(v))
		for i, element := range v {
			filled, err := fill(t, element)
			if err != nil {
				return nil, err
			}
			out[i] = filled
		}
		return out, nil
	}
	return value, nil
}

// addScripts adds pre as the step's first taskStarts callback, and post as the
// last taskSucceeds callback.
func addScripts(step *runspec.Step, pre, post string) error {
	callbacks := slices.Clone(step.Callbacks)
	for _, s := range []struct{ file, event string }{{pre, contract.EventTaskStarts}, {post, contract.EventTaskSucceeds}} {
		text, err := os.ReadFile(s.file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		c := runspec.Callback{
			Event: s.event, Commands: []string{template.Escape(string(text))}, FailurePolicy: step.FailurePolicy, Retry: step.Retry,
		}
		if s.event == contract.EventTaskStarts {
			callbacks = append([]runspec.Callback{c}, callbacks...)
		} else {
			callbacks = append(callbacks, c)
		}
	}
	step.Callbacks = callbacks
	return nil
}
