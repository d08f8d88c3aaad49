// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// plugin is an entry in the list of init plugins.
type plugin struct {
	Name    string         `yaml:"name"`
	Command string         `yaml:"command"`
	Args    []string       `yaml:"args"`
	Errors  []errorMapping `yaml:"errors"`

	// asked is set if the configuration lists the plugin. It is not set for
	// plugins from defaultOrder.
	asked bool
}

// errorMapping maps a plugin's exit code to a container exit code.
type errorMapping struct {
	Name   string `yaml:"name"`
	Origin int    `yaml:"originErrorCode"`
	Mapped int    `yaml:"mappedErrorCode"`
}

// Names of the built-in init plugins, in their default order.
const (
	frameworkBarrier  = "frameworkBarrier"
	frameworkParser   = "frameworkParser"
	imageChecker      = "imageChecker"
	portChecker       = "portChecker"
	userCommandRender = "userCommandRender"
)

var defaultOrder = []string{frameworkBarrier, frameworkParser, imageChecker, portChecker, userCommandRender}

// Builtin reports whether name is a built-in init plugin.
func Builtin(name string) bool {
	_, ok := builtins[name]
	return ok
}

// defaultErrors maps the built-in plugins' exit codes to container exit
// codes. Source: microsoft/openpai-runtime: src/init.
var defaultErrors = map[string][]errorMapping{
	frameworkBarrier: {{"transient", exitBarrierTransient, 250}, {"timeout", exitBarrierTimeout, 251}, {"permanent", exitBarrierPermanent, 252}},
	portChecker:      {{"conflict", exitPortConflict, 253}},
	imageChecker:     {{"missing", exitImageMissing, 254}},
}

const (
	envInitConfig  = "INIT_CONFIG"
	fileInitConfig = "init_plugins.yaml"
)

// pluginList returns the init plugins from INIT_CONFIG, or else from
// init_plugins.yaml in the configuration or the image. Without this variable and
// file, it returns the built-in plugins, followed by the image's own plugins in
// init.d.
func (o *Options) pluginList() ([]plugin, error) {
	text, name, err := []byte(o.Getenv(envInitConfig)), envInitConfig, error(nil)
	if len(text) == 0 {
		if text, name, err = o.withImage().findConfig(fileInitConfig); err != nil {
			return nil, err
		}
	}
	if len(text) == 0 {
		return o.defaultPlugins()
	}
	var config struct {
		Plugins []plugin `yaml:"initPlugins"`
	}
	if err := decode(name, text, &config); err != nil {
		return nil, err
	}
	for i := range config.Plugins {
		p := &config.Plugins[i]
		p.asked = true
		p.Command = cmp.Or(p.Command, p.Name)
		if err := p.check(); err != nil {
			return nil, configErrorf("%s: initPlugins[%d]%v", name, i, err)
		}
	}
	return config.Plugins, nil
}

// check validates an entry. Its error text continues a sentence that begins with
// the entry's name.
func (p *plugin) check() error {
	if strings.TrimSpace(p.Command) == "" {
		return errors.New(" has neither name nor command; set one of them")
	}
	for i, m := range p.Errors {
		if m.Mapped < 1 || m.Mapped > 255 {
			return fmt.Errorf(": errors[%d].mappedErrorCode is %d; it must be between 1 and 255", i, m.Mapped)
		}
	}
	return nil
}

func (o *Options) defaultPlugins() ([]plugin, error) {
	var list []plugin
	for _, name := range defaultOrder {
		list = append(list, plugin{Name: name, Command: name})
	}
	own, err := o.ownPlugins()
	for _, name := range own {
		if info, err := os.Stat(filepath.Join(o.initDir(), name)); err == nil && info.Mode()&0o111 != 0 {
			list = append(list, plugin{Name: name, Command: "./" + name, asked: true})
		}
	}
	return list, err
}

// failed returns the container's exit code, and err with the plugin's title.
// If the plugin names its exit code, the error contains this name.
func (p *plugin) failed(code int, err error) (int, error) {
	for _, m := range p.Errors {
		if m.Origin == code && m.Name != "" {
			err = fmt.Errorf("%s: %w", m.Name, err)
			break
		}
	}
	return p.mapped(code), fmt.Errorf("init plugin %s: %w", p.title(), err)
}

// mapped returns the container's exit code for the plugin's exit code. Without
// a mapping, signal codes and the runtime's own codes do not change; other
// codes become 1.
func (p *plugin) mapped(code int) int {
	for _, m := range p.Errors {
		if m.Origin == code {
			return m.Mapped
		}
	}
	for _, m := range defaultErrors[p.builtin()] {
		if m.Origin == code {
			return m.Mapped
		}
	}
	signals := []int{130, 131, 132, 134, 135, 136, 137, 139, 141, 143}
	if slices.Contains(signals, code) || code >= 220 && code <= 255 {
		return code
	}
	return 1
}

// builtin returns the name of the built-in plugin with which the command
// starts, or "".
func (p *plugin) builtin() string {
	name, _ := builtinOf(strings.Fields(p.Command))
	return name
}

func (p *plugin) title() string {
	if p.Name == "" {
		return fmt.Sprintf("%q", p.Command)
	}
	return p.Name
}
