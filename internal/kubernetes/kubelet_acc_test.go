// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/portforward"
	"k8s.io/streaming/pkg/httpstream"
	"k8s.io/streaming/pkg/httpstream/spdy"
)

// newKubelet adds a node whose kubelet forwards Pod ports to local ports.
func newKubelet(t *testing.T, name string) { serveKubelet(t, name, forwardPorts) }

func serveKubelet(t *testing.T, name string, handler http.HandlerFunc) {
	t.Helper()
	kubelet := httptest.NewTLSServer(handler)
	at, err := url.Parse(kubelet.URL)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.ParseInt(at.Port(), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	nodes := server.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "nodes"})
	_, err = nodes.Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Node", "metadata": map[string]any{"name": name},
		"status": map[string]any{
			"addresses":       []any{map[string]any{"type": "InternalIP", "address": at.Hostname()}},
			"daemonEndpoints": map[string]any{"kubeletEndpoint": map[string]any{"Port": port}},
		},
	}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = nodes.Delete(context.Background(), name, metav1.DeleteOptions{})
		kubelet.CloseClientConnections()
		kubelet.Close()
	})
}

// bind assigns a Pod to a node.
func bind(t *testing.T, namespace, pod, node string) {
	t.Helper()
	_, err := server.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).Namespace(namespace).Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Binding", "metadata": map[string]any{"name": pod},
		"target": map[string]any{"apiVersion": "v1", "kind": "Node", "name": node},
	}}, metav1.CreateOptions{}, "binding")
	if err != nil {
		t.Fatal(err)
	}
}

// forwardPorts implements the kubelet's protocol: each connection has a data
// stream and an error stream.
func forwardPorts(w http.ResponseWriter, r *http.Request) {
	if _, err := httpstream.Handshake(r, w, []string{portforward.PortForwardProtocolV1Name}); err != nil {
		return
	}
	streams := make(chan httpstream.Stream, 8)
	conn := spdy.NewResponseUpgrader().UpgradeResponse(w, r, func(s httpstream.Stream, _ <-chan struct{}) error {
		streams <- s
		return nil
	})
	if conn == nil {
		return
	}
	defer func() { _ = conn.Close() }()
	var errs httpstream.Stream
	for {
		select {
		case s := <-streams:
			if s.Headers().Get(corev1.StreamType) == corev1.StreamTypeError {
				errs = s
				continue
			}
			go connectPort(s, errs)
		case <-conn.CloseChan():
			return
		}
	}
}

func connectPort(data, errs httpstream.Stream) {
	defer func() { _, _ = data.Close(), errs.Close() }()
	out, err := net.Dial("tcp", "127.0.0.1:"+data.Headers().Get(corev1.PortHeader))
	if err != nil {
		_, _ = io.WriteString(errs, "error forwarding port: "+err.Error())
		return
	}
	defer func() { _ = out.Close() }()
	go func() {
		_, _ = io.Copy(out, data)
		_ = out.(*net.TCPConn).CloseWrite()
	}()
	_, _ = io.Copy(data, out)
}
