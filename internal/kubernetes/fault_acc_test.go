//go:build acc

package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/fault"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestSingleFaults spoils each request of a first apply, of a change in place
// and of a destroy in every way. The command succeeds or stops with a typed
// error; one further command converges.
func TestSingleFaults(t *testing.T) {
	for _, scene := range scenes {
		for _, request := range referenceRequests(t, scene) {
			for _, kind := range fault.All {
				if strings.HasPrefix(request, "GET") && !slices.Contains(readFaults, kind) {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s/%s", scene.name, request, kind), func(t *testing.T) {
					t.Parallel()
					spoil(t, scene, request, kind)
				})
			}
		}
	}
}

// readFaults are those of a read, which changes nothing, so that it does not
// matter whether it is carried out.
var readFaults = []fault.Kind{fault.TooMany, fault.Unavailable, fault.Forbidden, fault.HangBefore, fault.ResetBefore}

// scene is something that is done to a job.
type scene struct {
	name   string
	before func(*testing.T, *Cluster) // without faults
	do     func(context.Context, *Cluster) error
	after  func(*testing.T, *Cluster)
}

var scenes = []scene{
	{"create", func(*testing.T, *Cluster) {},
		func(ctx context.Context, c *Cluster) error { return applyPlan(ctx, c, faultJobs(0)) },
		func(t *testing.T, c *Cluster) { mustBeWhole(t, c, faultJobs(0).Jobs[0]) }},
	{"update", func(t *testing.T, c *Cluster) { mustApply(t, c, faultJobs(0)) },
		func(ctx context.Context, c *Cluster) error { return applyPlan(ctx, c, faultJobs(2)) },
		func(t *testing.T, c *Cluster) { mustBeWhole(t, c, faultJobs(2).Jobs[0]) }},
	{"destroy", func(t *testing.T, c *Cluster) { mustApply(t, c, faultJobs(0)) },
		func(ctx context.Context, c *Cluster) error {
			o := faultJobs(0)
			o.Destroy = true
			return applyPlan(ctx, c, o)
		},
		func(t *testing.T, c *Cluster) { mustBeGone(t, c.declared.Namespace, "Lease "+leaseName("vision")) }},
	{"create with a PriorityClass", func(*testing.T, *Cluster) {},
		func(ctx context.Context, c *Cluster) error { return applyPlan(ctx, withPriority(c), priorityJobs()) },
		func(t *testing.T, c *Cluster) {
			j := priorityJobs().Jobs[0]
			mustBeWhole(t, c, j)
			if class := classOf(t, c, j); class == nil || class.Metadata.Annotations[contract.KeyWorkspace] != "vision" {
				t.Errorf("the class of the job is %+v", class)
			}
			mustApply(t, c, planner.Options{Destroy: true}) // it is of the whole cluster
		}},
	{"destroy with a PriorityClass", func(t *testing.T, c *Cluster) { mustApply(t, withPriority(c), priorityJobs()) },
		func(ctx context.Context, c *Cluster) error {
			o := priorityJobs()
			o.Destroy = true
			return applyPlan(ctx, c, o)
		},
		func(t *testing.T, c *Cluster) {
			mustBeGone(t, c.declared.Namespace, "Lease "+leaseName("vision"))
			if class := classOf(t, c, priorityJobs().Jobs[0]); class != nil {
				t.Errorf("left: %+v", class)
			}
		}},
}

// priorityJobs is the job that has a PriorityClass of its own.
func priorityJobs() planner.Options {
	return planner.Options{Jobs: []*resolve.Job{plainJob("vision", "urgent")}}
}

func withPriority(c *Cluster) *Cluster {
	c.options.Target.PriorityClass = &hclspec.PriorityClass{}
	return c
}

// faultJobs is the job of the tests of faults, with more tasks in one role.
func faultJobs(more int) planner.Options {
	j := sampleJob("vision", "mnist")
	j.Rescale = "in_place"
	j.TaskRoles[1].Instances += more
	return planner.Options{Jobs: []*resolve.Job{j}}
}

// referenceRequests lists the requests of a scene, one of each kind.
func referenceRequests(t *testing.T, s scene) []string {
	t.Helper()
	namespace := newNamespace(t)
	s.before(t, open(t, namespace, "vision"))
	c, proxy := behind(t, namespace, nil)
	if err := s.do(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, r := range proxy.Requests() {
		// A Lease is renewed when the time comes, not always.
		if name := requestName(r, namespace); !slices.Contains(all, name) && !strings.HasPrefix(name, "PATCH leases") {
			all = append(all, name)
		}
	}
	return all
}

var frameworkHash = regexp.MustCompile(`[0-9a-f]{32}`)

func requestName(r fault.Request, namespace string) string {
	path := strings.ReplaceAll(strings.ReplaceAll(r.Path, "/namespaces/"+namespace, ""), namespace, "NAMESPACE")
	return r.Method + " " + frameworkHash.ReplaceAllString(path[strings.LastIndex(path, "/v1/")+len("/v1/"):], "JOB")
}

// behind opens a workspace through a proxy.
func behind(t testing.TB, namespace string, choose func(fault.Request) (fault.Kind, bool)) (*Cluster, *fault.Proxy) {
	t.Helper()
	proxy, err := fault.New(server, choose)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(proxy.Close)
	file, err := server.WriteKubeconfig("proxy-"+namespace, proxy.URL, namespace)
	if err != nil {
		t.Fatal(err)
	}
	c := openAt(t, file, namespace, "vision")
	c.options.RequestTimeout = 700 * time.Millisecond
	proxy.Delay = 1100 * time.Millisecond
	return c, proxy
}

func spoil(t *testing.T, s scene, request string, kind fault.Kind) {
	namespace := newNamespace(t)
	s.before(t, open(t, namespace, "vision"))
	var once sync.Once
	c, proxy := behind(t, namespace, func(r fault.Request) (k fault.Kind, hit bool) {
		if requestName(r, namespace) == request {
			once.Do(func() { k, hit = kind, true })
		}
		return k, hit
	})
	err := s.do(t.Context(), c)
	proxy.Close() // what is late happens now
	if err != nil {
		var typed *Error
		if !errors.As(err, &typed) || typed.What == "" {
			t.Fatalf("an error without its operation: %v", err)
		}
		if err := s.do(t.Context(), open(t, namespace, "vision")); err != nil {
			t.Fatalf("a further apply does not converge: %v (the first stopped with: %v)", err, typed)
		}
	}
	s.after(t, open(t, namespace, "vision"))
}

// mustBeWhole checks that a job is there once, started, complete, and that
// nothing else is.
func mustBeWhole(t *testing.T, c *Cluster, j *resolve.Job) {
	t.Helper()
	mustBeEmpty(t, c, j)
	fw, err := c.framework(t.Context(), j.Framework)
	if err != nil || fw.Spec.ExecutionType != "Start" {
		t.Fatalf("the job is not started: %v", err)
	}
	r, err := c.loadRecord(t.Context(), j.Framework)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Framework " + j.Framework, "ConfigMap " + r.meta.Name}
	if len(j.Secrets) > 0 {
		want = append(want, "Secret "+keyName("vision"))
	}
	for _, o := range r.Objects {
		want = append(want, o.String())
		k, _ := byKind(o.Kind)
		if owners := ownersOf(t, c.namespace, k, o.Name); len(owners) != 1 || string(owners[0].UID) != fw.Metadata.UID {
			t.Errorf("%s is owned by %v", o, owners)
		}
	}
	slices.Sort(want)
	got := leftovers(t, c.namespace)
	// A Lease that could not be given up ends by itself.
	got = slices.DeleteFunc(got, func(o string) bool { return o == "Lease "+leaseName("vision") })
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("objects %v, want %v", got, want)
	}
}

func ownersOf(t *testing.T, namespace string, k resource, name string) []metav1.OwnerReference {
	t.Helper()
	group, version := "", "v1"
	if g, v, ok := strings.Cut(k.apiVersion, "/"); ok {
		group, version = g, v
	}
	o, err := server.Dynamic().Resource(schema.GroupVersionResource{Group: group, Version: version, Resource: k.plural}).Namespace(namespace).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return o.GetOwnerReferences()
}
