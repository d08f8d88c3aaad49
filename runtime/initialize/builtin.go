// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/runtime"
	"github.com/openpai/terraform-provider-openpai/runtime/barrier"
	"github.com/openpai/terraform-provider-openpai/runtime/check"
)

// Exit codes of the built-in plugins. They are identical to the codes of the
// programs that the plugins replace. Source: microsoft/frameworkcontroller:
// pkg/barrier/barrier.go; microsoft/openpai-runtime: src/init.d.
const (
	exitBarrierTransient = 200
	exitBarrierTimeout   = 201
	exitBarrierPermanent = 210
	exitPortConflict     = 10
	exitImageMissing     = 1
	exitMistake          = 2
)

// builtin is an init plugin that this program implements. The parameter asked
// is true if the configuration lists the plugin.
type builtin func(ctx context.Context, c *container, args []string, asked bool) (int, error)

var builtins map[string]builtin

func init() {
	builtins = map[string]builtin{
		frameworkBarrier: runBarrier, frameworkParser: runParser, imageChecker: runImageCheck,
		portChecker: runPortCheck, userCommandRender: runRender,
	}
}

func runBarrier(ctx context.Context, c *container, _ []string, asked bool) (int, error) {
	name := c.Getenv(contract.EnvFramework)
	if name == "" || !c.spec.Gang && !asked {
		c.log.info("frameworkBarrier: the task does not belong to a gang")
		c.noGang = true
		return 0, nil
	}
	interval, timeout, err := barrierTimes(c.Getenv, c.spec.MaxWaitSeconds)
	if err != nil {
		return exitBarrierPermanent, err
	}
	api, err := barrier.Access(c.Getenv, c.TokenDir)
	if errors.Is(err, barrier.ErrNoAccess) && c.tasks() == 1 {
		c.log.info("frameworkBarrier: a gang of one task")
		return 0, nil
	}
	if err != nil {
		return exitBarrierPermanent, err
	}
	g := &barrier.Gang{
		API: api, Namespace: cmp.Or(c.Getenv(contract.EnvFrameworkNamespace), "default"), Framework: name,
		Attempt: cmp.Or(c.Getenv("FC_FRAMEWORK_ATTEMPT_INSTANCE_UID"), c.Getenv(contract.EnvFrameworkAttempt)),
		Role:    c.spec.Role, Index: c.id.Index, Rank: c.rank(), PodUID: c.Getenv(contract.EnvPodUID),
		HostsMap: contract.HostsConfigMap(name), Interval: interval, Timeout: timeout, Warn: c.log.warning,
	}
	c.log.info(fmt.Sprintf("frameworkBarrier: waiting up to %s for all tasks of the job", timeout))
	c.table, err = g.Wait(ctx)
	var refused *runtime.BarrierError
	switch {
	case err == nil:
		c.log.info("frameworkBarrier: all tasks are ready")
		return 0, c.writeTable()
	case errors.As(err, &refused):
		return barrierExit(refused.Code), err
	default:
		return exitStopped, errors.New("stopped while waiting for the gang")
	}
}

// exitStopped is the exit code for SIGTERM.
const exitStopped = 143

// barrierExit converts a code from the exit specification to the original barrier's
// exit code.
func barrierExit(code int) int {
	switch code {
	case exitspec.CodeBarrierTransient:
		return exitBarrierTransient
	case exitspec.CodeGangTimeout:
		return exitBarrierTimeout
	default:
		return exitBarrierPermanent
	}
}

// barrierTimes reads the environment variables of the original barrier. A
// timeout in the job overrides the timeout from the environment.
func barrierTimes(getenv func(string) string, seconds int) (interval, timeout time.Duration, err error) {
	read := func(name string, usual, low, high int) time.Duration {
		text := getenv(name)
		if text == "" {
			return time.Duration(usual) * time.Second
		}
		n, convErr := strconv.Atoi(text)
		if convErr != nil || n < low || n > high {
			err = errors.Join(err, fmt.Errorf("%s is %q; it must be a number of seconds from %d to %d", name, text, low, high))
		}
		return time.Duration(n) * time.Second
	}
	interval = read("BARRIER_CHECK_INTERVAL_SEC", 10, 5, 1200)
	timeout = read("BARRIER_CHECK_TIMEOUT_SEC", 600, 60, 1200)
	if seconds > 0 {
		timeout = time.Duration(seconds) * time.Second
	}
	return interval, timeout, err
}

// File arguments of init plugins in the examples of the original runtime's
// documentation. A Pod without a Framework does not have these files.
const (
	frameworkFile = "framework.json"
	portListFile  = "portListFile"
)

// runParser reads framework.json if the barrier has not provided a table.
func runParser(_ context.Context, c *container, args []string, asked bool) (int, error) {
	if c.table != nil {
		return 0, nil
	}
	name := frameworkFile
	if len(args) > 0 {
		name = args[0]
	}
	mayMiss := !asked || c.noGang && name == frameworkFile
	if !filepath.IsAbs(name) {
		name = filepath.Join(c.Root, name)
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && mayMiss {
		c.log.info("frameworkParser: no framework.json to read")
		return 0, nil
	}
	if err != nil {
		return exitMistake, err
	}
	if c.table, err = barrier.Parse(text); err != nil {
		return exitMistake, err
	}
	return 0, nil
}

func runPortCheck(ctx context.Context, c *container, args []string, _ bool) (int, error) {
	ports, err := c.portsToCheck(args)
	if err != nil {
		return exitMistake, err
	}
	if err := check.Ports(ctx, ports); err != nil {
		return exitPortConflict, err
	}
	return 0, nil
}

// portsToCheck returns the ports in the file args[0]. Without an argument, or
// if portListFile does not exist, portsToCheck returns this task's ports. Any
// other missing file is an error.
func (c *container) portsToCheck(args []string) ([]int, error) {
	if len(args) > 0 {
		text, err := os.ReadFile(filepath.Join(c.Root, args[0]))
		if args[0] != portListFile || !errors.Is(err, fs.ErrNotExist) {
			return check.PortsIn(string(text)), err
		}
		c.log.info("portChecker: " + portListFile + " does not exist; checking this task's ports")
	}
	var ports []int
	self := runtime.Self(runtime.Config{Spec: c.spec, Index: c.id.Index, PodUID: c.Getenv(contract.EnvPodUID)})
	for _, list := range self.Ports {
		ports = append(ports, list...)
	}
	return ports, nil
}

// imageTimeout is the time limit for the image check. It is short, because a
// slow registry must not delay a job.
const imageTimeout = 20 * time.Second

// runImageCheck checks whether the image exists in its registry. Only the first
// task of a role does this, unless the configuration lists the plugin.
func runImageCheck(ctx context.Context, c *container, args []string, asked bool) (int, error) {
	image := c.spec.Image
	if len(args) > 0 {
		image = args[0]
	}
	if image == "" || c.id.Index > 0 && !asked {
		return 0, nil
	}
	logins, err := check.ReadLogins(c.DockerConfig)
	if err != nil {
		c.log.warning("imageChecker: " + err.Error())
	}
	ctx, cancel := context.WithTimeout(ctx, imageTimeout)
	defer cancel()
	switch state, why := check.Image(ctx, check.Client(), image, logins); state {
	case check.Missing:
		return exitImageMissing, errors.New(why)
	case check.Unknown:
		c.log.warning("imageChecker: cannot determine whether the image exists; the task continues: " + why)
	default:
		c.log.info("imageChecker: the image exists")
	}
	return 0, nil
}
