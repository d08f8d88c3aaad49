package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/runtime"
)

// Variables that tell the runtime where tasks meet and which addresses this
// one has. Without them gang allocation is refused, and the address is that of
// the first network interface.
const (
	envReadyFile = "PAI_BARRIER_READY_FILE"
	envHostsFile = "PAI_BARRIER_HOSTS_FILE"
	envPodIP     = "PAI_POD_IP"
	envHostIP    = "PAI_NODE_IP"
)

// runTask runs the task of this container and returns its exit code.
func runTask(p places, getenv func(string) string, stdout, stderr io.Writer) int {
	config, err := configure(p, getenv)
	if err != nil {
		_, _ = fmt.Fprintln(stderr, contract.RuntimeLine(time.Now(), contract.LevelError, err.Error()))
		return exitspec.CodeUnknown
	}
	signals := make(chan os.Signal, 64)
	signal.Notify(signals, forwarded...)
	keepSIGPIPE()
	config.Signals, config.Stdout, config.Stderr = signals, stdout, stderr
	return runtime.Run(context.Background(), config).Code
}

// configure reads what this task is to do, and who it is.
func configure(p places, getenv func(string) string) (runtime.Config, error) {
	spec, err := readSpec(p, getenv)
	if err != nil {
		return runtime.Config{}, err
	}
	work, err := os.Getwd()
	if err != nil {
		return runtime.Config{}, fmt.Errorf("find the working directory: %w", err)
	}
	c := runtime.Config{
		Spec: spec, PodUID: getenv(contract.EnvPodUID), Environ: os.Environ(),
		Root: p.root, LogDir: p.logs, WorkDir: work, SecretsDir: p.secrets,
		RecordFile: filepath.Join(p.logs, "exit-record.json"), TerminationFile: p.termination,
		Self: addresses(getenv), Reap: true, Now: time.Now,
	}
	if hosts := getenv(envHostsFile); hosts != "" {
		ready := getenv(envReadyFile)
		if ready == "" {
			ready = filepath.Join(p.root, "ready.json")
		}
		c.Barrier = runtime.FileBarrier{ReadyFile: ready, HostsFile: hosts}
	}
	for name, to := range map[string]*int{
		contract.EnvTaskIndex: &c.Index, contract.EnvTaskAttempt: &c.Attempt, contract.EnvFrameworkAttempt: &c.JobAttempt,
	} {
		if text := getenv(name); text != "" {
			if *to, err = strconv.Atoi(text); err != nil {
				return c, fmt.Errorf("the variable %s is %q, not a number", name, text)
			}
		}
	}
	return c, nil
}

// readSpec reads the run specification of this role: run.json, or the file of
// the role where all of a job are in one directory.
func readSpec(p places, getenv func(string) string) (*runspec.Spec, error) {
	name := filepath.Join(p.config, filepath.Base(contract.RunSpecFile))
	text, err := os.ReadFile(name)
	if role := getenv(contract.EnvTaskRole); errors.Is(err, fs.ErrNotExist) && role != "" {
		name = filepath.Join(p.config, role+".json")
		text, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, fmt.Errorf("read the run specification: %w", err)
	}
	var spec runspec.Spec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, fmt.Errorf("read the run specification %s: %w", name, err)
	}
	if spec.Version < runspec.Version-1 || spec.Version > runspec.Version {
		return nil, fmt.Errorf("the run specification %s has version %d; this runtime reads %d and the one before: use the runtime image that belongs to the openpai that made the job", name, spec.Version, runspec.Version)
	}
	return &spec, nil
}

// addresses returns what is known of this task's own addresses.
func addresses(getenv func(string) string) runspec.Host {
	h := runspec.Host{IP: getenv(envPodIP), HostIP: getenv(envHostIP)}
	if h.IP == "" {
		h.IP = interfaceAddress()
	}
	return h
}

// interfaceAddress is the first address that others may reach, or "".
func interfaceAddress() string {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return ""
	}
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.IsGlobalUnicast() {
			return ip.IP.String()
		}
	}
	return ""
}
