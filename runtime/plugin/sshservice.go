//go:build unix

package plugin

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/internal/ssh"
)

// sshConfigVariable names the configuration of ssh clients in the task.
const sshConfigVariable = "PAI_SSH_CONFIG"

const (
	sshBarrierTime = 30 * time.Minute // when sshbarrierTimeout is not given
	sshCloseTime   = time.Second      // between SIGHUP and SIGKILL at the end
	// sshDir is the directory of client files, systemKeys that of keys that an
	// operator provides, below the root.
	sshDir     = "ssh"
	systemKeys = "ssh-secret"
)

// service is the ssh server of a task.
type service struct{ server *ssh.Server }

// ssh starts the SSH service of the task. Parameters: jobssh, sshbarrier,
// sshbarrierTimeout (minutes) and userssh as in the original, and publicKeys.
// A second step adds its keys to the service of the first. Source:
// microsoft/openpai-runtime: src/plugins/ssh.
func (s *Set) ssh(ctx context.Context, t Task, step *runspec.Step) Result {
	p := newParameters(t, step)
	jobssh, barrier := p.boolValue("jobssh"), p.boolValue("sshbarrier")
	timeout := time.Duration(p.numberValue("sshbarrierTimeout") * float64(time.Minute))
	keys := append(p.stringList("publicKeys"), userKeys(p, t.Attempt())...)
	if r := p.result(); !r.ok() {
		return r
	}
	gang := t.Attempt().Spec.Gang
	key, err := s.jobKey(t, gang && (jobssh || barrier))
	if err != nil {
		return failed("failed: %v", err)
	}
	if s.service == nil {
		if s.service, err = startService(t, key); err != nil {
			return failed("failed: %v", err)
		}
	}
	s.service.authorize(t, append(keys, t.Attempt().Spec.SSHPublicKeys...))
	if !gang && (jobssh || barrier) {
		t.Warn("jobssh and sshbarrier are off: without gang allocation the tasks do not know each other")
		return Result{}
	}
	if jobssh {
		if err := writeClientFiles(t, key); err != nil {
			return failed("failed: %v", err)
		}
	}
	if barrier {
		return s.service.barrier(ctx, t, timeout)
	}
	return Result{}
}

// jobKey returns the key of the job. A task that nobody made one for, such as a
// Pod written by hand, gets one of its own: a host key that no other task
// knows, and a login that nobody has.
func (s *Set) jobKey(t Task, shared bool) (*ssh.JobKey, error) {
	text, ok := t.Secret(contract.SecretJobKey)
	if !ok && shared {
		return nil, errors.New("the task has no ssh key of the job")
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

// userKeys returns the keys of userssh: those in the parameter (custom), or in
// a file that the operator of the cluster provides (system).
func userKeys(p *parameters, place Attempt) []string {
	user := p.object("userssh")
	kind, value := user.stringValue("type"), user.stringValue("value")
	p.errs = append(p.errs, user.errs...)
	switch kind {
	case "", "none":
	case "custom":
		return []string{value}
	case "system":
		if value != filepath.Base(value) || value == "." {
			p.invalid("userssh.value", "the name of a file")
			return nil
		}
		text, err := os.ReadFile(filepath.Join(place.Root, systemKeys, value))
		if err != nil {
			p.errs = append(p.errs, "userssh: "+err.Error())
		}
		return []string{string(text)}
	default:
		p.invalid("userssh.type", `"custom", "system" or "none"`)
	}
	return nil
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

func (s *service) authorize(t Task, texts []string) {
	for _, text := range texts {
		keys, refused := ssh.ParseAuthorized(text)
		for _, err := range refused {
			t.Warn("a public key is not used: " + err.Error())
		}
		s.server.Authorize(keys...)
	}
}

// peersOf returns the tasks of the roles that the condition holds for, in the
// order of the job.
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

// writeClientFiles lets ssh clients in the task reach the others by name. The
// files go with the task: they hold the private key.
func writeClientFiles(t Task, key *ssh.JobKey) error {
	place := t.Attempt()
	peers := peersOf(place, func(r runspec.Role) bool { return r.SSH })
	dir := filepath.Join(place.Root, sshDir)
	t.AddCleanup(func() { _ = os.RemoveAll(dir) }) // a task that is killed leaves it, with mode 0700
	config, err := ssh.WriteClientFiles(dir, key, peers)
	if err == nil {
		t.SetVariable(sshConfigVariable, config)
	}
	return err
}

// barrier waits for the ssh services of all tasks that have a barrier too.
func (s *service) barrier(ctx context.Context, t Task, timeout time.Duration) Result {
	if timeout == 0 {
		timeout = sshBarrierTime
	}
	place := t.Attempt()
	peers := peersOf(place, func(r runspec.Role) bool { return r.SSHBarrier })
	self := peerName(place.Spec.Role, place.Index)
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := (&ssh.Barrier{Server: s.server, Peers: peers, Self: self, Log: t.Warn}).Wait(ctx)
	var missing *ssh.BarrierTimeout
	switch {
	case err == nil:
		t.Info("the ssh service of every task can be reached")
		return Result{}
	case errors.As(err, &missing):
		return Result{
			Code: exitspec.CodeSSHBarrierTimeout, Spec: exitspec.CodeSSHBarrierTimeout,
			Reason: fmt.Sprintf("waited %s for the ssh services of all tasks: %s", timeout, missing.Reason),
		}
	}
	return Result{Stopped: true, Reason: "was ended while it waited for the ssh services of other tasks"}
}
