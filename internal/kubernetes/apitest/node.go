// SPDX-License-Identifier: MPL-2.0

//go:build acc

package apitest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Network settings of the node. Two addresses must exist before the call:
// NodeIP on the interface Bridge, and serviceIP (the API server) on any
// interface.
const (
	Bridge     = "openpai0"
	NodeIP     = "10.88.0.1"
	serviceIP  = "10.96.0.1"
	nodeName   = "e2e"
	podNetwork = "10.88.0.0/16"
)

// NodeFlags are the API server flags that StartNode requires.
var NodeFlags = []string{"--kubelet-preferred-address-types=InternalIP", "--advertise-address=" + NodeIP}

// StartNode adds a node that runs Pods. It starts a scheduler, a kubelet, and
// containerd with runc and a bridge. It requires root privileges and a separate
// network namespace. sandbox is the pause image for Pods. containerd does not use TLS
// for registries on the loopback interface.
func (s *Server) StartNode(ctx context.Context, sandbox string) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	if err := s.serviceAddress(ctx); err != nil {
		return err
	}
	if err := s.startScheduling(ctx); err != nil {
		return err
	}
	if err := s.startContainerd(ctx, sandbox); err != nil {
		return err
	}
	if err := s.startKubelet(); err != nil {
		return err
	}
	return s.waitFor(ctx, "the node", s.nodeReady)
}

// serviceAddress makes the API server reachable at its service address, because
// kube-proxy does not run.
func (s *Server) serviceAddress(ctx context.Context) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", serviceIP+":443")
	if err != nil {
		return fmt.Errorf("listen on the service address: %w", err)
	}
	target := s.Config.Host[len("https://"):]
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go forward(c, target)
		}
	}()
	return nil
}

func forward(c net.Conn, target string) {
	defer func() { _ = c.Close() }()
	out, err := new(net.Dialer).DialContext(context.Background(), "tcp", target)
	if err != nil {
		return
	}
	defer func() { _ = out.Close() }()
	go func() {
		_, _ = io.Copy(out, c)
		_ = out.(*net.TCPConn).CloseWrite()
	}()
	_, _ = io.Copy(c, out)
}

// startScheduling starts the scheduler and the controllers for volumes and
// nodes.
func (s *Server) startScheduling(ctx context.Context) error {
	ports, err := freePorts(ctx, 2)
	if err != nil {
		return err
	}
	err = s.run("kube-scheduler", "--kubeconfig="+s.Kubeconfig, "--leader-elect=false", "--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", ports[0]), "--cert-dir="+filepath.Join(s.Dir, "scheduler"))
	if err != nil {
		return err
	}
	return s.runAs("node-controllers", "kube-controller-manager", "--kubeconfig="+s.Kubeconfig, "--leader-elect=false", "--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", ports[1]), "--cert-dir="+filepath.Join(s.Dir, "node-controllers"),
		"--controllers=node-lifecycle-controller,persistentvolume-binder-controller")
}

func (s *Server) startContainerd(ctx context.Context, sandbox string) error {
	engine, err := Tool("containerd")
	if err != nil {
		return err
	}
	programs := filepath.Dir(engine)
	at := func(name string) string { return filepath.Join(s.Dir, name) }
	if err := os.MkdirAll(at("cni.d"), 0o755); err != nil {
		return err
	}
	network := fmt.Sprintf(`{"cniVersion": "1.0.0", "name": "e2e", "plugins": [{"type": "bridge", "bridge": %q, "isGateway": true, "hairpinMode": true,
 "ipam": {"type": "host-local", "dataDir": %q, "ranges": [[{"subnet": %q, "rangeStart": "10.88.1.1"}]], "routes": [{"dst": "0.0.0.0/0"}]}}]}
`, Bridge, at("addresses"), podNetwork)
	// Without CAP_SYS_RESOURCE, containers cannot lower the OOM score.
	config := fmt.Sprintf(`version = 3
root = %q
state = %q
[grpc]
  address = %q
[ttrpc]
  address = %q
[plugins.'io.containerd.cri.v1.images'.pinned_images]
  sandbox = %q
[plugins.'io.containerd.cri.v1.runtime']
  restrict_oom_score_adj = true
  [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
      BinaryName = %q
  [plugins.'io.containerd.cri.v1.runtime'.cni]
    bin_dirs = [%q]
    conf_dir = %q
`, at("containerd"), at("containerd-state"), at("containerd.sock"), at("containerd.ttrpc"), sandbox, filepath.Join(programs, "runc"), filepath.Join(programs, "cni"), at("cni.d"))
	if err := errors.Join(os.WriteFile(at("cni.d/10-e2e.conflist"), []byte(network), 0o644), os.WriteFile(at("containerd.toml"), []byte(config), 0o644)); err != nil {
		return err
	}
	// containerd looks up the shim in PATH.
	if err := os.Setenv("PATH", programs+string(os.PathListSeparator)+os.Getenv("PATH")); err != nil {
		return err
	}
	if err := s.run("containerd", "--config", at("containerd.toml")); err != nil {
		return err
	}
	return s.waitFor(ctx, "containerd", func(ctx context.Context) error {
		c, err := new(net.Dialer).DialContext(ctx, "unix", at("containerd.sock"))
		if err != nil {
			return err
		}
		return c.Close()
	})
}

func (s *Server) startKubelet() error {
	at := func(name string) string { return filepath.Join(s.Dir, name) }
	config := fmt.Sprintf(`apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
containerRuntimeEndpoint: unix://%s
failCgroupV1: false
failSwapOn: false
cgroupDriver: cgroupfs
cgroupRoot: %s
makeIPTablesUtilChains: false
serializeImagePulls: false
podLogsDir: %s
volumePluginDir: %s
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
evictionHard: {memory.available: 50Mi, nodefs.available: "1%%", imagefs.available: "1%%"}
`, at("containerd.sock"), CgroupRoot, at("pods"), at("volume-plugins"))
	if err := os.WriteFile(at("kubelet.yaml"), []byte(config), 0o644); err != nil {
		return err
	}
	return s.run("kubelet", "--config="+at("kubelet.yaml"), "--kubeconfig="+s.Kubeconfig, "--hostname-override="+nodeName,
		"--node-ip="+NodeIP, "--root-dir="+at("kubelet"), "--cert-dir="+at("kubelet-pki"))
}

// CgroupRoot is the parent cgroup of all Pods. It must exist.
const CgroupRoot = "/openpai-e2e"

func (s *Server) nodeReady(ctx context.Context) error {
	node, err := s.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "nodes"}).Get(ctx, nodeName, metav1.GetOptions{})
	if err != nil {
		return err
	}
	var status struct {
		Spec struct {
			Taints []struct{ Key string }
		}
		Status struct {
			Conditions []struct{ Type, Status, Message string }
		}
	}
	if err := convert(node.Object, &status); err != nil {
		return err
	}
	for _, c := range status.Status.Conditions {
		if c.Type == "Ready" && c.Status == "True" && len(status.Spec.Taints) == 0 {
			return nil
		}
	}
	return fmt.Errorf("the node is not ready: %+v", status)
}

// Cordon cordons or uncordons the node.
func (s *Server) Cordon(ctx context.Context, closed bool) error {
	nodes := s.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "nodes"})
	patch := fmt.Appendf(nil, `{"spec": {"unschedulable": %t}}`, closed)
	_, err := nodes.Patch(ctx, nodeName, types.MergePatchType, patch, metav1.PatchOptions{})
	return err
}

// Log returns the last part of a program's log.
func (s *Server) Log(name string) string {
	text, err := os.ReadFile(filepath.Join(s.Dir, name+".log"))
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-4000):])
}

func convert(from, into any) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}
