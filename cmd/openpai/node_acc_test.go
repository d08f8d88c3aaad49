// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
)

// node runs Pods as local processes, with the real runtime and without
// containers. It also acts as the kubelet of these Pods.
type node struct {
	t       *testing.T
	client  dynamic.Interface
	name    string
	program string // openpai-runtime

	mu    sync.Mutex
	pods  map[types.UID]*nodePod
	named map[string]*nodePod // the latest Pod with each name
}

// nodePod is the container of a Pod.
type nodePod struct {
	dir     string
	environ []string
	stop    chan struct{} // closed when the Pod must end

	mu      sync.Mutex
	begun   bool
	over    bool
	written []string // log lines with timestamps
	changed chan struct{}
}

func resourceOf(client dynamic.Interface, namespace, resource string) dynamic.ResourceInterface {
	return client.Resource(schema.GroupVersionResource{Version: "v1", Resource: resource}).Namespace(namespace)
}

func startNode(t *testing.T, client dynamic.Interface, namespace, program string) {
	t.Helper()
	n := &node{t: t, client: client, name: "node-" + namespace, program: program, pods: map[types.UID]*nodePod{}, named: map[string]*nodePod{}}
	kubelet := httptest.NewTLSServer(n)
	at, err := url.Parse(kubelet.URL)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.ParseInt(at.Port(), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	nodes := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "nodes"})
	_, err = nodes.Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Node", "metadata": map[string]any{"name": n.name},
		"status": map[string]any{
			"addresses":       []any{map[string]any{"type": "InternalIP", "address": at.Hostname()}},
			"daemonEndpoints": map[string]any{"kubeletEndpoint": map[string]any{"Port": port}},
		},
	}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { n.run(ctx, &running, namespace) })
	t.Cleanup(func() {
		cancel()
		running.Wait()
		kubelet.CloseClientConnections()
		kubelet.Close()
	})
}

func (n *node) run(ctx context.Context, running *sync.WaitGroup, namespace string) {
	events, err := apitest.Watch(ctx, resourceOf(n.client, namespace, "pods"))
	if err != nil {
		n.t.Error(err)
		return
	}
	for e := range events {
		var pod corev1.Pod
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(e.Object.Object, &pod); err != nil {
			n.t.Error(err)
			continue
		}
		n.mu.Lock()
		p := n.pods[pod.UID]
		if p == nil {
			p = &nodePod{dir: n.t.TempDir(), stop: make(chan struct{}), changed: make(chan struct{})}
			n.pods[pod.UID], n.named[pod.Name] = p, p
			running.Go(func() {
				if err := n.live(ctx, &pod, p); err != nil && ctx.Err() == nil {
					n.t.Errorf("Pod %s: %v", pod.Name, err)
				}
			})
		}
		n.mu.Unlock()
		if pod.DeletionTimestamp != nil {
			select {
			case <-p.stop:
			default:
				close(p.stop)
			}
		}
	}
}

// portConflict is the exit code of the init container if a port is in use.
const portConflict = 253

// initialize runs the init container. Other programs on this machine may use the
// ports of the Pod. The real engine then creates a Pod with a different UID, because
// the UID determines the ports. This node keeps the Pod and passes a different UID
// to its processes.
func (n *node) initialize(ctx context.Context, pod *corev1.Pod, p *nodePod) error {
	for try := 1; ; try++ {
		init := exec.CommandContext(ctx, n.program, "init")
		init.Env, init.Dir = p.environ, p.dir
		text, err := init.CombinedOutput()
		if err == nil {
			return nil
		}
		if init.ProcessState.ExitCode() != portConflict || try == 5 {
			return fmt.Errorf("init: %w\n%s", err, text)
		}
		p.environ = append(p.environ, fmt.Sprintf("%s=%s-%d", contract.EnvPodUID, pod.UID, try))
	}
}

// live runs the init container, then the app container. When a client deletes
// the Pod, node.live stops the app container and confirms the deletion.
func (n *node) live(ctx context.Context, pod *corev1.Pod, p *nodePod) error {
	if err := n.prepare(ctx, pod, p); err != nil {
		return err
	}
	if err := n.initialize(ctx, pod, p); err != nil {
		return err
	}
	started := time.Now().UTC().Format(time.RFC3339)
	app := exec.CommandContext(ctx, filepath.Join(p.dir, "pai", "runtime"))
	stdout, stderr := &nodeStream{pod: p}, &nodeStream{pod: p}
	app.Env, app.Dir, app.Stdout, app.Stderr = p.environ, p.dir, stdout, stderr
	app.Cancel = func() error { return app.Process.Signal(syscall.SIGTERM) }
	app.WaitDelay = patience
	if err := app.Start(); err != nil {
		return err
	}
	p.note(func() { p.begun = true })
	if err := n.patch(ctx, pod, "Running", map[string]any{"running": map[string]any{"startedAt": started}}); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		select {
		case <-p.stop:
			_ = app.Process.Signal(syscall.SIGTERM)
		case <-ended:
		}
	}()
	phase, code := corev1.PodSucceeded, 0
	if err := app.Wait(); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			return err
		}
		phase, code = corev1.PodFailed, exit.ExitCode()
	}
	close(ended)
	stdout.end()
	stderr.end()
	p.note(func() { p.over = true })
	message, _ := os.ReadFile(filepath.Join(p.dir, "termination"))
	err := n.patch(ctx, pod, phase, map[string]any{"terminated": map[string]any{
		"exitCode": code, "reason": "Completed", "message": string(message), "startedAt": started, "finishedAt": time.Now().UTC().Format(time.RFC3339),
	}})
	if err != nil {
		return err
	}
	select {
	case <-p.stop: // the kubelet confirms the deletion
		now := int64(0)
		err := resourceOf(n.client, pod.Namespace, "pods").Delete(ctx, pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &now})
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	case <-ctx.Done():
		return nil
	}
}

// prepare binds the Pod to the node, writes the run specification, and sets the
// variables of the runtime.
func (n *node) prepare(ctx context.Context, pod *corev1.Pod, p *nodePod) error {
	pods := resourceOf(n.client, pod.Namespace, "pods")
	_, err := pods.Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Binding", "metadata": map[string]any{"name": pod.Name},
		"target": map[string]any{"apiVersion": "v1", "kind": "Node", "name": n.name},
	}}, metav1.CreateOptions{}, "binding")
	if err != nil {
		return err
	}
	for _, v := range pod.Spec.Volumes {
		if v.ConfigMap == nil {
			continue
		}
		m, err := resourceOf(n.client, pod.Namespace, "configmaps").Get(ctx, v.ConfigMap.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		for _, item := range v.ConfigMap.Items {
			text, _, _ := unstructured.NestedString(m.Object, "data", item.Key)
			if err := os.WriteFile(filepath.Join(p.dir, item.Path), []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	p.environ = []string{
		"PATH=" + os.Getenv("PATH"), "PAI_ROOT_DIR=" + filepath.Join(p.dir, "pai"), "PAI_CONFIG_DIR=" + p.dir,
		"PAI_TERMINATION_FILE=" + filepath.Join(p.dir, "termination"), "FC_POD_UID=" + string(pod.UID), "PAI_POD_IP=127.0.0.1",
	}
	for _, v := range pod.Spec.Containers[0].Env {
		if v.ValueFrom == nil {
			p.environ = append(p.environ, v.Name+"="+v.Value)
		}
	}
	return n.patch(ctx, pod, corev1.PodPending, map[string]any{"waiting": map[string]any{"reason": "PodInitializing"}})
}

// imageID returns the image with a digest, like a kubelet.
func imageID(image string) string {
	if strings.Contains(image, "@") {
		return image
	}
	return image + "@sha256:cf474e16bcd9a08b44df94bea23eca3f28a152d188c4bf32b17bbaa2b3a5a6a4"
}

func (n *node) patch(ctx context.Context, pod *corev1.Pod, phase corev1.PodPhase, state map[string]any) error {
	text, err := json.Marshal(map[string]any{"status": map[string]any{"phase": phase, "containerStatuses": []any{
		map[string]any{"name": "app", "image": "i", "imageID": imageID(pod.Spec.Containers[0].Image), "ready": false, "restartCount": 0, "state": state},
	}}})
	if err != nil {
		return err
	}
	_, err = resourceOf(n.client, pod.Namespace, "pods").Patch(ctx, pod.Name, types.JSONPatchType, fmt.Appendf(nil, `[{"op":"add","path":"/status","value":%s}]`, text[len(`{"status":`):len(text)-1]), metav1.PatchOptions{}, "status")
	return err
}

// note changes the Pod and wakes the readers of its log.
func (p *nodePod) note(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
	close(p.changed)
	p.changed = make(chan struct{})
}

// nodeStream is a standard stream of a container. Like containerd, it logs only
// complete lines.
type nodeStream struct {
	pod  *nodePod
	rest []byte
}

// Write implements io.Writer.
func (w *nodeStream) Write(text []byte) (int, error) {
	w.pod.note(func() {
		w.rest = append(w.rest, text...)
		for {
			end := bytes.IndexByte(w.rest, '\n') + 1
			if end == 0 {
				return
			}
			w.pod.written = append(w.pod.written, time.Now().UTC().Format(time.RFC3339Nano)+" "+string(w.rest[:end]))
			w.rest = w.rest[end:]
		}
	})
	return len(text), nil
}

// end completes an unterminated last line.
func (w *nodeStream) end() {
	if len(w.rest) > 0 {
		_, _ = w.Write([]byte("\n"))
	}
}

// buildRuntime builds openpai-runtime.
func buildRuntime(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "openpai-runtime")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", program, "../openpai-runtime")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return program
}
