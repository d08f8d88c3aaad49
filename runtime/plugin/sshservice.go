// SPDX-License-Identifier: MPL-2.0

//go:build unix

package plugin

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/internal/ssh"
)

// sshConfigVariable is the environment variable that contains the path of the
// ssh client configuration.
const sshConfigVariable = "PAI_SSH_CONFIG"

const (
	sshBarrierTime = 30 * time.Minute // timeout of the ssh barrier if sshbarrierTimeout is not set
	sshCloseTime   = time.Second      // time between SIGHUP and SIGKILL at the end of the task
	// Directories below the root. sshDir contains client files, and systemKeys
	// contains the keys that an operator provides.
	sshDir     = "ssh"
	systemKeys = "ssh-secret"
)

// service is the ssh server of a task.
type service struct{ server *ssh.Server }

// ssh starts the task's SSH service. It accepts the parameters of OpenPAI's
// plugin: jobssh, sshbarrier, sshbarrierTimeout (in minutes) and userssh.
// OpenPAI's plugin does not have the parameter publicKeys. If a second step
// uses the plugin, ssh adds that step's keys to the existing service. Source:
// microsoft/openpai-runtime: src/plugins/ssh.
func (s *Set) ssh(ctx context.Context, t Task, step *runspec.Step) Result {
	p, err := sshParameters(t, step)
	if err != nil {
		return failed("failed: invalid parameters: %v", err)
	}
	gang := t.Attempt().Spec.Gang
	key, err := s.jobKey(t, gang && (p.JobSSH || p.Barrier))
	if err != nil {
		return failed("failed: %v", err)
	}
	if s.service == nil {
		if s.service, err = startService(t, key); err != nil {
			return failed("failed: %v", err)
		}
	}
	s.service.authorize(t, append(p.Keys, t.Attempt().Spec.SSHPublicKeys...))
	if !gang && (p.JobSSH || p.Barrier) {
		t.Warn("jobssh and sshbarrier have no effect: without gang allocation, tasks do not receive the addresses of other tasks")
		return Result{}
	}
	if p.JobSSH {
		if err := writeClientFiles(t, key); err != nil {
			return failed("failed: %v", err)
		}
	}
	if p.Barrier {
		return s.service.barrier(ctx, t, p.BarrierTimeout)
	}
	return Result{}
}

// jobKey returns the job's ssh key. A task in a manually written Pod, for example,
// has no job key. If the tasks require a shared key, jobKey then returns an error.
// Otherwise, jobKey generates a key. Nobody can log in with this key, because no
// other task has it.
func (s *Set) jobKey(t Task, shared bool) (*ssh.JobKey, error) {
	text, ok := t.Secret(contract.SecretJobKey)
	if !ok && shared {
		return nil, errors.New("the task does not have the job's ssh key")
	}
	if !ok {
		random := s.Random
		if random == nil {
			random = rand.Reader
		}
		var err error
		if text, err = ssh.NewJobKey(random); err != nil {
			return nil, err
		}
	}
	return ssh.ParseJobKey(text)
}

// sshParameters reads a step's parameters, including secrets, and the operator's
// keys. As in the original, unknown or invalid parameters have no effect here; the
// plan already rejects such parameters.
func sshParameters(t Task, step *runspec.Step) (contract.SSHParameters, error) {
	filled, err := fill(t, step.Parameters)
	if err != nil {
		return contract.SSHParameters{}, err
	}
	parameters, _ := filled.(map[string]any)
	p, problems := contract.ReadSSHParameters(parameters)
	for _, problem := range problems {
		what := "unknown name"
		if problem.Want != "" {
			what = "must be " + problem.Want
		}
		t.Warn("ssh ignores the parameter " + strings.Join(problem.Path, ".") + ": " + what)
	}
	if p.SystemKeys != "" {
		text, err := os.ReadFile(filepath.Join(t.Attempt().Root, systemKeys, p.SystemKeys))
		if err != nil {
			return p, fmt.Errorf("userssh: %w", err)
		}
		p.Keys = append(p.Keys, string(text))
	}
	return p, nil
}

func startService(t Task, key *ssh.JobKey) (*service, error) {
	place := t.Attempt()
	ports := place.Self.Ports[contract.PortSSH]
	if len(ports) == 0 {
		return nil, errors.New("the task has no port with the label " + contract.PortSSH)
	}
	t.Info(contract.LogStartSSH)
	server, err := ssh.Listen(ssh.Options{
		Key: key, Address: net.JoinHostPort(place.Listen, strconv.Itoa(ports[0])), Dir: place.WorkDir, Shell: place.Shell,
		Environ: t.Environ, Start: t.Session, Log: t.Info,
	})
	if err != nil {
		return nil, err
	}
	t.AddCleanup(func() { server.Close(sshCloseTime) })
	return &service{server}, nil
}

func (s *service) authorize(t Task, files []string) {
	for _, text := range files {
		keys, refused := ssh.ParseAuthorized(text)
		for _, err := range refused {
			t.Warn("ignoring a public key: " + err.Error())
		}
		s.server.Authorize(keys...)
	}
}

// peersOf returns the tasks of the selected roles, in job order.
func peersOf(place Attempt, which func(runspec.Role) bool) []ssh.Peer {
	var peers []ssh.Peer
	for _, role := range place.Spec.Roles {
		if !which(role) {
			continue
		}
		for _, h := range place.Hosts {
			ports := h.Ports[contract.PortSSH]
			if h.Role != role.Name || len(ports) == 0 || h.HostIP == "" {
				continue
			}
			names := []string{peerName(role.Name, h.Index)}
			if role.Written != "" && role.Written != role.Name {
				names = append(names, peerName(role.Written, h.Index))
			}
			peers = append(peers, ssh.Peer{Names: names, Address: net.JoinHostPort(h.HostIP, strconv.Itoa(ports[0]))})
		}
	}
	return peers
}

func peerName(role string, index int) string { return role + "-" + strconv.Itoa(index) }

// writeClientFiles writes the files that ssh clients need to reach other tasks
// by name. The files contain the private key, so a registered cleanup deletes
// the files when the task ends.
func writeClientFiles(t Task, key *ssh.JobKey) error {
	place := t.Attempt()
	peers := peersOf(place, func(r runspec.Role) bool { return r.SSH })
	dir := filepath.Join(place.Root, sshDir)
	t.AddCleanup(func() { _ = os.RemoveAll(dir) }) // if the task is killed, the directory remains, but its mode is 0700
	config, err := ssh.WriteClientFiles(dir, key, peers)
	if err != nil {
		return err
	}
	t.SetVariable(sshConfigVariable, config)
	return useClientFiles(t, config)
}

// useClientFiles makes ssh clients read the configuration without -F. It changes
// the system-wide file if the task may change that file. Otherwise, it adds
// wrapper programs to PATH.
func useClientFiles(t Task, config string) error {
	if system := t.Attempt().SSHConfig; system != "" {
		remove, err := ssh.AddSystemConfig(system, config)
		if err == nil {
			t.AddCleanup(remove)
			return nil
		}
		if !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS) {
			return err
		}
	}
	path, _ := t.Variable("PATH")
	dir, err := ssh.WriteWrappers(config, func(name string) (string, bool) { return lookPath(name, path) })
	if err == nil && dir != "" {
		t.PrependPath(dir)
	}
	return err
}

func lookPath(name, path string) (string, bool) {
	for _, dir := range filepath.SplitList(path) {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && filepath.IsAbs(file) && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file, true
		}
	}
	return "", false
}

// barrier waits for the ssh services of all tasks whose roles have a barrier.
func (s *service) barrier(ctx context.Context, t Task, timeout time.Duration) Result {
	timeout = cmp.Or(timeout, sshBarrierTime)
	place := t.Attempt()
	peers := peersOf(place, func(r runspec.Role) bool { return r.SSHBarrier })
	self := peerName(place.Spec.Role, place.Index)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := (&ssh.Barrier{Server: s.server, Peers: peers, Self: self, Log: t.Warn}).Wait(ctx)
	var missing *ssh.BarrierTimeout
	switch {
	case err == nil:
		t.Info("the ssh service of every task is reachable")
		return Result{}
	case errors.As(err, &missing):
		return Result{
			Code: exitspec.CodeSSHBarrierTimeout, Spec: exitspec.CodeSSHBarrierTimeout,
			Reason: fmt.Sprintf("waited %s for the ssh services of all tasks: %s", timeout, missing.Reason),
		}
	}
	return Result{Stopped: true, Reason: "was stopped while waiting for the ssh services of other tasks"}
}
