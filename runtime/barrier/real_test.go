// SPDX-License-Identifier: MPL-2.0

//go:build acc

package barrier_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/runtime/barrier"
)

// gangSize is the number of tasks in the gang.
const gangSize = 1000

// TestAThousandTasksMeet lets a thousand tasks wait for each other through a
// real API server. The tasks use the service account that openpai renders. The
// server may send at most 200 kB to a task on average.
func TestAThousandTasksMeet(t *testing.T) {
	server, err := apitest.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	c := newCluster(t, server)
	manifest := c.create()

	proxies := make([]*proxy, gangSize)
	ready := make(chan time.Time, gangSize)
	var all sync.WaitGroup
	for i := range gangSize {
		p := newProxy(t, c.address)
		proxies[i] = p
		g := &barrier.Gang{
			API:       &barrier.API{Server: "https://" + p.address, Client: c.client(), Token: func() (string, error) { return c.token, nil }},
			Namespace: "default", Framework: manifest.Framework.Metadata.Name, Attempt: "0_x", Role: "worker", Index: i, Rank: i, PodUID: uid(i),
			HostsMap: contract.HostsConfigMap(manifest.Framework.Metadata.Name), Interval: 10 * time.Second, Timeout: 4 * time.Minute, Warn: func(text string) { t.Log(i, text) },
		}
		all.Go(func() {
			table, err := g.Wait(t.Context())
			if err != nil || len(table.Roles) != 1 || len(table.Roles[0].Members) != gangSize {
				t.Errorf("task %d: %v", i, err)
			}
			ready <- time.Now()
		})
	}
	for _, n := range []int{1, 300, 700, gangSize - 1} {
		c.status(manifest, n)
		time.Sleep(3 * time.Second)
	}
	c.status(manifest, gangSize)
	released := time.Now()
	all.Wait()
	close(ready)
	var last, first time.Time
	for at := range ready {
		if first.IsZero() || at.Before(first) {
			first = at
		}
		if at.After(last) {
			last = at
		}
	}
	var most, total int64
	for i, p := range proxies {
		n := p.bytes.Load()
		total += n
		if i > 0 {
			most = max(most, n)
		}
		if i > 0 && n > 200_000 {
			t.Errorf("the API server sent task %d %d bytes", i, n)
		}
	}
	t.Logf("first task %s, last task %s after the status that completes the gang; the watcher received %d bytes, another task at most %d, on average %d",
		first.Sub(released).Round(time.Millisecond), last.Sub(released).Round(time.Millisecond), proxies[0].bytes.Load(), most, total/gangSize)
	if total/gangSize > 200_000 {
		t.Errorf("the API server sent each task %d bytes on average", total/gangSize)
	}
}

// The wait must fail if the token is invalid, the account lacks permissions, or
// the Framework does not exist.
func TestRefusalsOfARealServerEndTheMeeting(t *testing.T) {
	server, err := apitest.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	c := newCluster(t, server)
	manifest := c.create()
	other := c.accountToken("default")
	for name, tc := range map[string]struct{ token, framework, want string }{
		"no rights":         {other, manifest.Framework.Metadata.Name, "system:serviceaccount:default:default may not get Framework"},
		"an invalid token":  {"nonsense", manifest.Framework.Metadata.Name, "rejected the token"},
		"no such Framework": {server.Config.BearerToken, "nothing", "does not exist"},
	} {
		t.Run(name, func(t *testing.T) {
			g := &barrier.Gang{
				API:       &barrier.API{Server: server.Config.Host, Client: c.client(), Token: func() (string, error) { return tc.token, nil }},
				Namespace: "default", Framework: tc.framework, Attempt: "0_x", Role: "worker", PodUID: uid(0),
				HostsMap: contract.HostsConfigMap(tc.framework), Interval: time.Second, Timeout: time.Minute, Warn: func(string) {},
			}
			_, err := g.Wait(t.Context())
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want %q", err, tc.want)
			}
		})
	}
}

func uid(i int) string {
	return fmt.Sprintf("%08x-9bda-11ea-830b-%012x", i*2654435761%(1<<32), i*40503)
}

// cluster accesses the server as the administrator.
type cluster struct {
	t       *testing.T
	server  *apitest.Server
	roots   *x509.CertPool
	address string
	token   string
}

func newCluster(t *testing.T, s *apitest.Server) *cluster {
	c := &cluster{t: t, server: s, roots: x509.NewCertPool(), address: strings.TrimPrefix(s.Config.Host, "https://")}
	pem, err := os.ReadFile(s.Config.CAFile)
	if err != nil || !c.roots.AppendCertsFromPEM(pem) {
		t.Fatal(err)
	}
	return c
}

// client returns a client with separate connections.
func (c *cluster) client() *http.Client {
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: c.roots}, ForceAttemptHTTP2: true}}
}

func (c *cluster) do(method, path, contentType string, body any) []byte {
	c.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		c.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(c.t.Context(), method, c.server.Config.Host+path, bytes.NewReader(text))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+c.server.Config.BearerToken)
	req.Header.Set("Content-Type", contentType)
	res, err := c.client().Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode/100 != 2 {
		c.t.Fatalf("%s %s: %s, %v\n%s", method, path, res.Status, err, answer)
	}
	return answer
}

// create renders a job, and creates the Framework and the objects for its
// init containers.
func (c *cluster) create() *render.Manifest {
	c.t.Helper()
	role := func(name string, n int) *resolve.TaskRole {
		return &resolve.TaskRole{Name: name, FrameworkName: name, Instances: n, MinFailed: 1, Image: resolve.Image{URI: "example.org/a:1"}, Commands: []string{strings.Repeat("python train.py\n", 50)}}
	}
	m, diags := render.Objects(&resolve.Job{
		Address: "job.gang", Name: "gang", Framework: contract.FrameworkName("alice", "gang"), User: "alice", Workspace: "test", JobSettings: hclspec.JobSettings{GangAllocation: true},
		TaskRoles: []*resolve.TaskRole{role("worker", gangSize)},
	}, render.Target{Namespace: "default", RuntimeImage: "example.org/runtime:1"})
	if diags.HasErrors() {
		c.t.Fatal(diags)
	}
	const core, rbac = "/api/v1/namespaces/default/", "/apis/rbac.authorization.k8s.io/v1/namespaces/default/"
	c.do("POST", "/apis/frameworkcontroller.microsoft.com/v1/namespaces/default/frameworks", "application/json", m.Framework)
	c.do("POST", core+"configmaps", "application/json", m.Access.Hosts)
	c.do("POST", core+"serviceaccounts", "application/json", m.Access.Account)
	c.do("POST", rbac+"roles", "application/json", m.Access.Role)
	c.do("POST", rbac+"rolebindings", "application/json", m.Access.RoleBinding)
	c.token = c.accountToken(m.Access.Account.Metadata.Name)
	return m
}

func (c *cluster) accountToken(account string) string {
	var token struct{ Status struct{ Token string } }
	answer := c.do("POST", "/api/v1/namespaces/default/serviceaccounts/"+account+"/token", "application/json",
		map[string]any{"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": map[string]any{"expirationSeconds": 3600}})
	if err := json.Unmarshal(answer, &token); err != nil {
		c.t.Fatal(err)
	}
	return token.Status.Token
}

// status writes a job status in the same form as FrameworkController. Only
// the first tasks have addresses; the parameter ready is their number.
func (c *cluster) status(m *render.Manifest, ready int) {
	c.t.Helper()
	attempt, now := "0_x", time.Now().UTC().Truncate(time.Second)
	tasks := make([]framework.TaskStatus, gangSize)
	for i := range tasks {
		id, node, ip, host := uid(i), fmt.Sprint("node-", i/8), fmt.Sprintf("10.1.%d.%d", i/250, i%250), fmt.Sprintf("10.2.0.%d", i/8)
		tasks[i] = framework.TaskStatus{Index: int32(i), InstanceUID: id, State: framework.StateAttemptPreparing, StartTime: now, TransitionTime: now,
			AttemptStatus: framework.TaskAttemptStatus{PodName: fmt.Sprint("gang-worker-", i), PodUID: &id, StartTime: now}}
		if i < ready {
			tasks[i].AttemptStatus.PodNodeName, tasks[i].AttemptStatus.PodIP, tasks[i].AttemptStatus.PodHostIP = &node, &ip, &host
		}
	}
	status := framework.Status{StartTime: now, TransitionTime: now, State: framework.StateAttemptPreparing, AttemptStatus: framework.AttemptStatus{
		StartTime: now, InstanceUID: &attempt, TaskRoleStatuses: []framework.TaskRoleStatus{{Name: "worker", TaskStatuses: tasks}},
	}}
	c.do("PATCH", "/apis/frameworkcontroller.microsoft.com/v1/namespaces/default/frameworks/"+m.Framework.Metadata.Name, "application/merge-patch+json", map[string]any{"status": status})
}

// proxy forwards connections and counts the bytes that the server sends.
type proxy struct {
	address string
	bytes   atomic.Int64
}

func newProxy(t *testing.T, to string) *proxy {
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	p := &proxy{address: l.Addr().String()}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go p.pass(t.Context(), client, to)
		}
	}()
	return p
}

func (p *proxy) pass(ctx context.Context, client net.Conn, to string) {
	defer func() { _ = client.Close() }()
	server, err := (&net.Dialer{}).DialContext(ctx, "tcp", to)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	go func() {
		_, _ = io.Copy(server, client)
		_ = server.(*net.TCPConn).CloseWrite()
	}()
	_, _ = io.Copy(client, counter{server, &p.bytes})
}

type counter struct {
	net.Conn
	n *atomic.Int64
}

func (c counter) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.n.Add(int64(n))
	return n, err
}
