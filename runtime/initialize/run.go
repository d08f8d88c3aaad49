// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/redact"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/runtime"
	"github.com/openpai/terraform-provider-openpai/runtime/barrier"
)

// container is a running init container.
type container struct {
	Options
	log *log
	// program() waits for the copy of the runtime program to the volume.
	program func() error

	id         Identity
	secrets    map[string]string
	spec       *runspec.Spec
	configured bool // set if init created the specification
	table      *barrier.Table
	noGang     bool // set if the barrier found no gang and did not write framework.json
}

// Run prepares the volume and runs the init plugins. It returns the exit code
// of the container.
func Run(ctx context.Context, o Options) int {
	c := &container{Options: o}
	if err := o.prepareVolume(); err != nil {
		return c.exit(exitspec.CodeUnknown, err)
	}
	if err := o.archiveLogs(); err != nil {
		return c.exit(exitspec.CodeUnknown, err)
	}
	c.log = openLog(&c.Options)
	defer c.log.close()
	c.program = o.copyProgram()
	code, err := c.prepare(ctx)
	if copyErr := c.program(); copyErr != nil && code == 0 {
		code, err = exitspec.CodeUnknown, copyErr
	}
	return c.exit(code, err)
}

// prepare configures the container, runs the plugins and writes the results.
// It returns the container's exit code and the reason.
func (c *container) prepare(ctx context.Context) (int, error) {
	if err := c.configure(); err != nil {
		return codeOf(err), err
	}
	plugins, err := c.pluginList()
	if err != nil {
		return codeOf(err), err
	}
	for i := range plugins {
		if code, err := c.runPlugin(ctx, &plugins[i]); code != 0 {
			return code, err
		}
	}
	if err := c.writeResults(); err != nil {
		return codeOf(err), err
	}
	return 0, nil
}

// codeOf distinguishes user mistakes from platform failures.
func codeOf(err error) int {
	var m *configError
	if errors.As(err, &m) {
		return exitspec.CodeConfiguration
	}
	return exitspec.CodeUnknown
}

// configure reads the secrets first, so that it can mask all output.
func (c *container) configure() error {
	var err error
	if c.secrets, err = c.readSecrets(); err != nil {
		return err
	}
	c.log.redactor = redact.New(slices.Collect(maps.Values(c.secrets))...)
	c.warnOfShortSecrets()
	if c.id, err = IdentityOf(c.Getenv); err != nil {
		return err
	}
	if err := c.readSpec(); err != nil {
		return err
	}
	if err := c.copyExitSpec(); err != nil {
		return err
	}
	return c.writeSecrets(c.secrets)
}

func (c *container) readSpec() error {
	spec, err := runspec.Read(SpecFiles(c.ConfigDirs, c.Getenv(contract.EnvTaskRole))...)
	if err == nil {
		c.spec = spec
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	c.spec, err = c.configuredSpec(c.secrets)
	if err == nil && c.spec == nil {
		err = configErrorf("no commands to run: %q contains no run specification, RUNTIME_CONFIG is empty and %s does not exist", c.ConfigDirs, fileRuntimeConfig)
	}
	c.configured = err == nil
	return err
}

// exit reports how the container ends.
func (c *container) exit(code int, err error) int {
	if c.log == nil {
		c.log = openLog(&c.Options)
	}
	if err == nil {
		c.log.info("the volume is prepared")
		return 0
	}
	c.log.error(err.Error())
	c.reportError(code, err)
	return code
}

func (c *container) writeResults() error {
	config := runtime.Config{Spec: c.spec, Index: c.id.Index, Attempt: c.id.Attempt, JobAttempt: c.id.JobAttempt, PodUID: c.Getenv(contract.EnvPodUID), Root: c.Root}
	hosts := &runspec.Hosts{}
	if c.table != nil {
		c.applyTable()
		hosts = c.table.Hosts(c.spec)
	}
	config.Self = runtime.Address(c.Getenv)
	if len(hosts.Tasks) == 0 {
		hosts.Tasks = []runspec.Host{runtime.Self(config)}
	}
	for _, h := range hosts.Tasks {
		if h.Role == c.spec.Role && h.Index == c.id.Index {
			config.Self = h
		}
	}
	if c.configured {
		if err := c.writeSpec(); err != nil {
			return err
		}
	}
	if err := c.prepareLogs(); err != nil {
		return err
	}
	if err := runtime.Prepare(config, hosts); err != nil {
		return fmt.Errorf("prepare the task: %w", err)
	}
	return nil
}

// RunPlugin runs a single built-in init plugin for a shell command that calls
// the plugin by name. It returns the plugin's own exit code.
func RunPlugin(ctx context.Context, o Options, name string, args []string) int {
	c := &container{Options: o}
	c.log = openLog(&c.Options)
	defer c.log.close()
	err := c.configure()
	code := exitMistake
	if err == nil {
		code, err = builtins[name](ctx, c, args, true)
	}
	if err != nil {
		c.log.error(err.Error())
	}
	return code
}
