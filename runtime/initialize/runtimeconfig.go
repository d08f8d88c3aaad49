// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// runtimeConfig is the content of RUNTIME_CONFIG or runtime_plugin.yaml.
type runtimeConfig struct {
	Commands []string       `yaml:"commands"`
	Plugins  []pluginConfig `yaml:"runtimePlugin"`
	// Image is the default image for the image check. The original OpenPAI
	// does not have this field.
	Image string `yaml:"image"`
	// StopGraceSeconds is the Pod's terminationGracePeriodSeconds. The
	// original OpenPAI does not have this field.
	StopGraceSeconds int `yaml:"stopGraceSeconds"`
}

// pluginConfig is an entry of extras["com.microsoft.pai.runtimeplugin"].
type pluginConfig struct {
	Plugin        string         `yaml:"plugin"`
	Parameters    map[string]any `yaml:"parameters"`
	FailurePolicy string         `yaml:"failurePolicy"`
	TaskRoles     []string       `yaml:"taskroles"`
}

// Sources of a runtime configuration: a variable and a file.
const (
	envRuntimeConfig  = "RUNTIME_CONFIG"
	fileRuntimeConfig = "runtime_plugin.yaml"
)

// defaultGrace is the default grace period in Kubernetes, in seconds.
const defaultGrace = 30

// scriptGrace returns the scripts' part of a Pod's grace period. Both are in
// seconds. The runtime reserves a sixth, but at most 5 s, for writing the record
// before the kubelet kills the runtime.
func scriptGrace(pod int) int {
	return max(1, pod-min(5, (pod+5)/6))
}

// configuredSpec returns the run specification from RUNTIME_CONFIG or
// runtime_plugin.yaml, or nil if neither exists.
func (o *Options) configuredSpec(secrets map[string]string) (*runspec.Spec, error) {
	text, name, err := []byte(o.Getenv(envRuntimeConfig)), envRuntimeConfig, error(nil)
	if len(text) == 0 {
		if text, name, err = o.findConfig(fileRuntimeConfig); err != nil || name == "" {
			return nil, err
		}
	}
	var c runtimeConfig
	if err := decode(name, text, &c); err != nil {
		return nil, err
	}
	if err := c.check(); err != nil {
		return nil, configErrorf("%s: %v", name, err)
	}
	role := contract.RoleName(cmp.Or(o.Getenv(contract.EnvTaskRole), "task"))
	job := cmp.Or(o.Getenv("PAI_JOB_NAME"), o.Getenv(contract.EnvFramework), o.Getenv("HOSTNAME"), "job")
	spec := &runspec.Spec{
		Version: runspec.Version, Framework: cmp.Or(o.Getenv(contract.EnvFramework), job), Job: job,
		User: o.Getenv("PAI_USER_NAME"), VirtualCluster: o.Getenv("PAI_VIRTUAL_CLUSTER"), Role: role,
		Gang: o.Getenv("GANG_ALLOCATION") == "true", Image: c.Image, Commands: c.Commands,
		Secrets: slices.Sorted(maps.Keys(secrets)), PortStart: contract.PortStart, PortEnd: contract.PortEnd,
		StopGraceSeconds: scriptGrace(cmp.Or(c.StopGraceSeconds, defaultGrace)),
		Roles: []runspec.Role{{Name: role, Written: cmp.Or(o.Getenv("PAI_CURRENT_TASK_ROLE_NAME"), role), Tasks: 1, MinFailed: 1, MinSucceeded: 1,
			Ports: []runspec.Port{{Label: contract.PortSSH, Count: 1}, {Label: contract.PortHTTP, Count: 1}}}},
	}
	for i, p := range c.Plugins {
		if len(p.TaskRoles) > 0 && !slices.ContainsFunc(p.TaskRoles, func(r string) bool { return contract.RoleName(r) == role }) {
			continue
		}
		step, err := p.step(i)
		if err != nil {
			return nil, configErrorf("%s: runtimePlugin[%d]: %v", name, i, err)
		}
		spec.Steps = append(spec.Steps, step)
	}
	return spec, nil
}

// maxGrace is one year, in seconds.
const maxGrace = 365 * 24 * 60 * 60

// check validates the fields that do not belong to a plugin.
func (c *runtimeConfig) check() error {
	if len(c.Commands) == 0 {
		return errors.New("commands must not be empty")
	}
	if c.StopGraceSeconds < 0 || c.StopGraceSeconds > maxGrace {
		return fmt.Errorf("stopGraceSeconds is %d; it must be between 1 and %d", c.StopGraceSeconds, maxGrace)
	}
	return nil
}

// step converts an entry to a step in the same way as the planner.
func (p *pluginConfig) step(i int) (runspec.Step, error) {
	policy := cmp.Or(strings.ToLower(p.FailurePolicy), "fail")
	if policy != "fail" && policy != "ignore" {
		return runspec.Step{}, fmt.Errorf("failurePolicy is %q; it must be fail or ignore", p.FailurePolicy)
	}
	if p.Plugin == "" {
		return runspec.Step{}, errors.New("plugin is not given")
	}
	short, known := contract.Plugin(p.Plugin)
	if !known {
		return runspec.Step{}, fmt.Errorf("unknown plugin %q; use %s, or %sNAME for a plugin in the runtime image", p.Plugin, strings.Join(contract.Plugins, ", "), contract.CustomPluginPrefix)
	}
	s := runspec.Step{Address: fmt.Sprintf("plugin.%s[%d]", short, i), Name: short, Plugin: short, FailurePolicy: policy}
	var err error
	if short == contract.PluginCmd {
		s.Callbacks, err = commandCallbacks(p.Parameters)
	} else if len(p.Parameters) > 0 {
		s.Parameters, err = parameters(p.Parameters)
	}
	return s, err
}
